import { type Address, encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { depositorAbi } from '../../abis/depositor.ts'
import { withdrawQueueAbi } from '../../abis/withdrawQueue.ts'
import { DEVNET_ACTORS, DEVNET_SOLVER, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { NO_ATTESTATION } from '../../devnet/vaults/depositInto.ts'
import { orderParams } from '../../devnet/vaults/orderParams.ts'
import type { WithdrawalRequest } from '../../devnet/vaults/submitWithdrawal.ts'
import { setUpVaults } from '../simulation/prepareVaults.ts'
import { transferCall } from '../simulation/shareMoves.ts'
import {
  createVaultPlayer,
  type HandCall,
  played,
  type VaultPlayer,
} from '../simulation/vaultPlayer.ts'
import { startTestWorld, type TestWorld } from './anvils.ts'
import { seededRandom } from './seededRandom.ts'
import { isoTime } from './vaultOracle/answers.ts'
import { openVaultOracle, type VaultOracle } from './vaultOracle.ts'

/** The oracle over a history that is small enough to compute by hand. */

const [ONE = DEVNET_SOLVER, TWO = DEVNET_SOLVER, THREE = DEVNET_SOLVER] = DEVNET_USERS
const { rateUpdater, queueProcessor, vaultDeployer } = DEVNET_ACTORS
const { USDG, USDC, USDT, USDS } = DEPLOYMENT.tokens
const dollar = vaultDeployment('Harbor Dollar', 2201)
const gold = vaultDeployment('Harbor Gold', 999)
const prime = vaultDeployment('Harbor Prime', 11_155_111)
const HOUR = 3_600
const DAY = 86_400
const UNIT = 1_000_000n
const ETHER = 10n ** 18n

let nodes: TestWorld
let oracle: VaultOracle
/** The midnight before the whole history. */
let start: number

beforeAll(async () => {
  nodes = await startTestWorld([999, 2201, 11_155_111], { withVaults: true })
  const players = await Promise.all(
    [2201, 999, 11_155_111].map((id) => createVaultPlayer(nodes.world, id, seededRandom(0))),
  )
  start = (Math.floor(Date.now() / 1_000 / DAY) + 2) * DAY
  const [onDollar, onGold, onPrime] = players
  if (onDollar) await playDollar(onDollar)
  if (onGold) await playGold(onGold)
  if (onPrime) await playPrime(onPrime)
  oracle = await openVaultOracle(nodes.addressBook, nodes.world.rpcUrls)
})
afterAll(() => nodes?.stop())

describe('the oracle over a history worked out by hand', () => {
  test('default: what a vault was worth at full hours', async () => {
    const rows = await oracle.vaultTvls(
      {
        interval: HOUR,
        lookback: 1,
        startTime: start,
        endTime: start + 3 * HOUR,
        includeCurrent: false,
      },
      'asc',
    )
    expect(
      of(dollar.vault, rows).map(({ timestamp, tvl, supply, holders }) => [
        timestamp,
        tvl,
        supply,
        holders,
      ]),
    ).toEqual([
      [isoTime(start + HOUR), '1010.000000', '1000000000', 1],
      [isoTime(start + 2 * HOUR), '1515.000000', '1500000000', 2],
      // The fee recipient has shares now.
      [isoTime(start + 3 * HOUR), '1414.101000', '1400100000', 3],
    ])
    expect(of(dollar.vault, rows)[1]).toMatchObject({
      tvlAsset: 'USDG',
      interval: '3600',
      rate: '1010000',
      isCurrent: false,
    })
  })

  test('default: what it is worth now comes last of all', async () => {
    const query = { interval: DAY, lookback: 10 * DAY, includeCurrent: true }
    const [first] = await oracle.vaultTvls(query, 'desc')
    const rows = await oracle.vaultTvls(query, 'asc')
    expect(rows.slice(-4).map(({ isCurrent }) => isCurrent)).toEqual([true, true, true, true])
    expect(first?.isCurrent).toBe(true)
    expect(of(dollar.vault, rows).at(-1)).toMatchObject({
      tvl: '1356.782995',
      supply: '1350100000',
      holders: null,
      timestamp: isoTime(start + 7 * DAY + 50),
    })
  })

  test('default: what it yielded, over what of the window there was', async () => {
    const query = {
      interval: DAY,
      lookback: 1,
      startTime: start + 5 * DAY,
      endTime: start + 7 * DAY,
      includeCurrent: false,
    }
    const rows = await oracle.vaultApys({ ...query, apyWindow: 7 * DAY }, 'asc')
    expect(of(dollar.vault, rows)).toMatchObject([
      {
        // 1.01 ^ (365 / 7)
        apy: '68.007541149252',
        windowSeconds: 7 * DAY,
        startRate: '1000000',
        endRate: '1010000',
      },
      { apy: '29.365355445713', windowSeconds: 7 * DAY, startTime: isoTime(start) },
    ])
    const oneDay = await oracle.vaultApys({ ...query, apyWindow: DAY }, 'asc')
    expect(of(dollar.vault, oneDay).map(({ apy }) => apy)).toEqual(['0', '-83.951868579584'])
  })

  test('default: the withdrawal requests, newest first', async () => {
    const rows = of(dollar.vault, await oracle.withdrawalRequests())
    expect(
      rows.map(({ orderIndex, status, queuePosition, sharesAhead }) => [
        orderIndex,
        status,
        queuePosition,
        sharesAhead,
      ]),
    ).toEqual([
      ['2', 'PENDING', 1, '0'],
      ['1', 'COMPLETE', null, null],
    ])
    expect(rows[1]).toMatchObject({
      userAddress: TWO.address,
      receiverAddress: THREE.address,
      refundReceiverAddress: TWO.address,
      offerAmount: '100000000',
      feeAmount: '100000',
      assetsOut: '100899000',
      wantAsset: USDC,
      createdAt: isoTime(start + 7_300),
      fulfilledAt: isoTime(start + 3 * HOUR),
      expectedAssets: null,
      updatedAt: isoTime(start + 3 * HOUR),
      isForceProcessed: false,
      isMarkedForRefund: false,
      didOrderFailTransfer: false,
    })
  })

  test('default: what was withdrawn, to the ends of the hours', () => {
    const range = { startTime: start + 60, endTime: start + 7 * DAY + 40 }
    const place = { vaultAddress: dollar.vault, chainId: 2201, orderCount: 1 }
    const queued = {
      ...place,
      assetAddress: USDC,
      shareAmount: '100000000',
      assetAmount: '100899000',
    }
    const atOnce = {
      ...place,
      assetAddress: USDG,
      shareAmount: '50000000',
      assetAmount: '50247500',
    }
    expect(oracle.withdrawalVolumes(dollar.vault, { ...range, interval: HOUR })).toEqual([
      { ...queued, startTime: start + 2 * HOUR, endTime: start + 3 * HOUR },
      { ...atOnce, startTime: start + 7 * DAY, endTime: start + 7 * DAY + 40 },
    ])
    const whole = oracle.withdrawalVolumes(dollar.vault, range)
    expect(whole).toHaveLength(2)
    expect(whole).toEqual(
      expect.arrayContaining([
        { ...queued, ...range },
        { ...atOnce, ...range },
      ]),
    )
    const before = { startTime: start + 3 * HOUR, endTime: start + 4 * HOUR }
    expect(oracle.withdrawalVolumes(dollar.vault, before)).toEqual([])
  })

  test('default: positions, of live vaults and at the present rate', async () => {
    const position = async (user: string) => of(dollar.vault, await oracle.userPositions(user))[0]
    expect(await position(ONE.address)).toMatchObject({
      vaultAddress: dollar.vault,
      chainId: 2201,
      shareBalance: '100000000',
      positionValueInBase: '100.495000',
      exchangeRateToBase: '1.004950',
      baseAssetAddress: USDG,
      // The user bought 1,000 shares for 1,000, sent 250 at 1.01 and 50 at 1.00495; 600 are in the queue.
      costBasis: '100.000000',
      realisedEarnings: '2.747500',
      unrealisedEarnings: '0.495000',
      hasTransferredShares: false,
    })
    // 500 shares for 505 and 250 worth 252.50; 100 of them paid without the fee of 0.1 share.
    expect(await position(TWO.address)).toMatchObject({
      positionValueInBase: '653.217500',
      costBasis: '656.500000',
      realisedEarnings: '-0.101000',
      unrealisedEarnings: '-3.282500',
      hasTransferredShares: true,
    })
    expect(await oracle.userPositions(THREE.address)).toHaveLength(3)
  })

  test('default: what the second user did, newest first', async () => {
    const rows = of(dollar.vault, await oracle.activity())
    expect(
      rows
        .filter(({ userAddress }) => userAddress === TWO.address)
        .map(({ type, shareAmount, valueInBase, assetAmount, counterparty }) => [
          type,
          shareAmount,
          valueInBase,
          assetAmount,
          counterparty,
        ]),
    ).toEqual([
      ['WITHDRAWAL_COMPLETED', '100000000', '101.000000', '100899000', THREE.address],
      ['WITHDRAWAL_REQUESTED', '100000000', '101.000000', undefined, THREE.address],
      ['TRANSFER_IN', '250000000', '252.500000', undefined, ONE.address],
      ['DEPOSIT', '500000000', '505.000000', '505000000', undefined],
    ])
  })

  test('default: caps', async () => {
    expect(await oracle.supplyCaps()).toEqual([
      {
        vaultAddress: gold.vault,
        chainId: 999,
        totalSupplyInBase: '1.500000000000000000',
        supplyCap: null,
        percentageFilled: null,
      },
      {
        vaultAddress: dollar.vault,
        chainId: 2201,
        totalSupplyInBase: '1356.782995',
        supplyCap: null,
        percentageFilled: null,
      },
      {
        vaultAddress: prime.vault,
        chainId: 11_155_111,
        totalSupplyInBase: '200.000000000000000000',
        supplyCap: '1600.000000000000000000',
        percentageFilled: '12.5000',
      },
    ])
  })

  test('default: what vaults hold, by what it is worth in the base', async () => {
    const rows = await oracle.vaultCompositions()
    const compositionOf = (vault: Address, chainId: number) =>
      rows
        .find((row) => row.vaultAddress === vault && row.chainId === chainId)
        ?.components.map(({ assetAddress, amount, value, weight, valueAsset }) => [
          assetAddress,
          amount,
          value,
          weight,
          valueAsset,
        ])
    expect(compositionOf(gold.vault, 999)).toEqual([
      [USDS, '4000.000000000000000000', '1.000000000000000000', '0.666667', 'XAU'],
      [USDC, '2000.000000', '0.500000000000000000', '0.333333', 'XAU'],
    ])
    expect(compositionOf(dollar.vault, 2201)).toEqual([
      [USDG, '949.752500', '949.752500', '0.701518', 'USDG'],
      [USDC, '404.101000', '404.101000', '0.298482', 'USDG'],
    ])
  })

  test('default: what is asked for beyond what there is, also while no rate is safe', async () => {
    expect(await oracle.liquidityShortfalls()).toEqual([
      {
        vaultAddress: dollar.vault,
        chainId: 2201,
        assetAddress: USDT,
        pendingOrderCount: 1,
        pendingShares: '600000000',
        pendingAssets: '602367030',
        vaultBalance: '0',
        shortfall: '602367030',
        blockedBy: null,
      },
      {
        vaultAddress: prime.vault,
        chainId: 11_155_111,
        assetAddress: USDC,
        pendingOrderCount: 2,
        pendingShares: String((10_004n * ETHER) / 100n),
        pendingAssets: '99850000',
        vaultBalance: '0',
        shortfall: '99850000',
        blockedBy: null,
      },
    ])
  })
})

/** Rows of one vault. On another chain its address belongs to another vault. */
function of<Row extends { vaultAddress: string; chainId: number }>(vault: string, rows: Row[]) {
  return rows.filter((row) => row.vaultAddress === vault && row.chainId === 2201)
}

type Hand = [from: Address, to: Address, call: HandCall | Hex]

/** A block with these calls, this many seconds after the start. */
async function at(player: VaultPlayer, seconds: number, ...calls: Hand[]) {
  const sent = calls.map(([from, to, call]) =>
    typeof call === 'string' ? { from, to, data: call } : played({ from, to, call }),
  )
  const time = BigInt(start + seconds)
  expect(await player.mine(sent, { time })).not.toContain(false)
}

function deposit(user: LocalAccount, asset: Address, amount: bigint): Hex {
  const args = [asset, amount, 0n, user.address, '0x', NO_ATTESTATION] as const
  return encodeFunctionData({ abi: depositorAbi, functionName: 'deposit', args })
}

function order(of: WithdrawalRequest): Hex {
  const args = [orderParams(of)] as const
  return encodeFunctionData({ abi: withdrawQueueAbi, functionName: 'submitOrder', args })
}

async function playDollar(player: VaultPlayer) {
  const { vault, current } = dollar
  const { depositor, queue, teller, accountant } = current
  const rate = (newRate: bigint): Hand => [
    ...([rateUpdater.address, accountant] as const),
    ['function updateExchangeRate(uint96)', newRate],
  ]
  await setUpVaults(nodes.world, player, { time: BigInt(start) })
  await at(player, 600, [ONE.address, depositor, deposit(ONE, USDG, 1_000n * UNIT)])
  await at(player, HOUR, rate(1_010_000n))
  await at(player, HOUR + 1, [TWO.address, depositor, deposit(TWO, USDC, 505n * UNIT)])
  await at(
    ...([player, 2 * HOUR + 5] as const),
    [ONE.address, vault, transferCall(TWO.address, 250n * UNIT)],
    [TWO.address, vault, transferCall(TWO.address, 0n)],
  )
  const first = { user: TWO, deployment: dollar, wantAsset: USDC, shares: 100n * UNIT }
  await at(player, 7_300, [TWO.address, queue, order({ ...first, receiver: THREE.address })])
  const process: HandCall = ['function processOrders(uint256)', 1n]
  await at(player, 3 * HOUR, [queueProcessor.address, queue, process])
  await at(player, 7 * DAY, rate(1_004_950n))
  const { address: solver } = DEVNET_SOLVER
  await at(player, 7 * DAY + 10, [ONE.address, vault, transferCall(solver, 50n * UNIT)])
  await at(player, 7 * DAY + 30, [
    ...([solver, teller] as const),
    ['function bulkWithdraw(address, uint256, uint256, address)', USDG, 50n * UNIT, 0n, solver],
  ])
  const second = { user: ONE, deployment: dollar, wantAsset: USDT, shares: 600n * UNIT }
  await at(player, 7 * DAY + 50, [ONE.address, queue, order(second)])
}

async function playGold(player: VaultPlayer) {
  const { depositor } = gold.current
  await setUpVaults(nodes.world, player, { time: BigInt(start) })
  await at(player, 600, [ONE.address, depositor, deposit(ONE, USDS, 4_000n * ETHER)])
  await at(player, 601, [ONE.address, depositor, deposit(ONE, USDC, 2_000n * UNIT)])
}

async function playPrime(player: VaultPlayer) {
  const { depositor, queue, accountant } = prime.current
  const { address: owner } = vaultDeployer
  await setUpVaults(nodes.world, player, { time: BigInt(start) })
  await at(player, 600, [ONE.address, depositor, deposit(ONE, USDG, 200n * UNIT)])
  const cap: HandCall = ['function setSupplyCapInBase(uint256)', 1_600n * ETHER]
  await at(player, 601, [owner, depositor, cap])
  const of = { user: ONE, deployment: prime, wantAsset: USDC }
  // A flat fee of 0.05 and a tenth of a percent: the second would be paid nothing.
  await at(player, 602, [ONE.address, queue, order({ ...of, shares: 100n * ETHER })])
  await at(player, 603, [ONE.address, queue, order({ ...of, shares: ETHER / 25n })])
  await at(player, 604, [owner, accountant, ['function pause()']])
}
