import { type Address, erc20Abi, type Hash, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { priceFeedAbi } from '../../abis/priceFeed.ts'
import { tellerAbi } from '../../abis/teller.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import {
  ControlError,
  mineBlocks,
  payAccount,
  reorganiseChain,
  setAssetClosed,
  setBlacklisted,
  setCapClosed,
  setDollarPrice,
  setFrozen,
  setKeeperBroke,
  setPaused,
  setSanctioned,
} from '../../devnet/controls.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { VAULT_CHAINS, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { addressNamed } from '../support/smartDeposits.ts'

const account = addressNamed('somebody')
const at = { chainId: 1 }
const { USDC } = DEPLOYMENT.tokens
const prime = { vault: 'Harbor Prime', chainId: 1 }
const dollar = { vault: 'Harbor Dollar', chainId: 1 }
const abi = parseAbi([
  'function isBlacklisted(address) view returns (bool)',
  'function isSanctioned(address) view returns (bool)',
  'function freezeList(address) view returns (bool)',
  'function supplyCapInBase() view returns (uint256)',
])

let started: TestWorld
beforeAll(async () => {
  started = await startTestWorld([1], { withVaults: true })
})
afterAll(() => started?.stop())

const client = () => worldClient(started.world, 1)

type Toggle = [
  name: string,
  set: (isOn: boolean) => Promise<unknown>,
  read: () => Promise<unknown>,
  values: [on: unknown, off: unknown],
]

describe('controls of the local world', () => {
  test.each<Toggle>([
    [
      'the blacklist',
      (isOn) => setBlacklisted(started.world, { ...at, account }, isOn),
      () =>
        client().readContract({
          address: USDC,
          abi,
          functionName: 'isBlacklisted',
          args: [account],
        }),
      [true, false],
    ],
    [
      'sanctions',
      (isOn) => setSanctioned(started.world, { ...at, account }, isOn),
      () =>
        client().readContract({
          address: oracle(),
          abi,
          functionName: 'isSanctioned',
          args: [account],
        }),
      [true, false],
    ],
    [
      'frozen accounts',
      (isOn) => setFrozen(started.world, { ...prime, account }, isOn),
      () =>
        client().readContract({
          address: of(prime).hook ?? '0x',
          abi,
          functionName: 'freezeList',
          args: [account],
        }),
      [true, false],
    ],
    [
      'a pause',
      (isOn) => setPaused(started.world, dollar, isOn),
      () =>
        client().readContract({
          address: of(dollar).current.teller,
          abi: tellerAbi,
          functionName: 'isPaused',
        }),
      [true, false],
    ],
    [
      'a cap',
      (isOn) => setCapClosed(started.world, prime, isOn),
      () =>
        client().readContract({
          address: of(prime).current.depositor,
          abi,
          functionName: 'supplyCapInBase',
        }),
      [0n, 5_000_000n * 10n ** 18n],
    ],
    [
      'a cap that was none',
      (isOn) => setCapClosed(started.world, dollar, isOn),
      () =>
        client().readContract({
          address: of(dollar).current.depositor,
          abi,
          functionName: 'supplyCapInBase',
        }),
      [0n, maxUint256],
    ],
    [
      'an asset',
      (isOn) => setAssetClosed(started.world, { ...dollar, token: 'USDC' }, isOn),
      () =>
        client().readContract({
          address: of(dollar).current.teller,
          abi: tellerAbi,
          functionName: 'isDepositSupported',
          args: [USDC],
        }),
      [false, true],
    ],
    [
      "the keeper's coins",
      (isOn) => setKeeperBroke(started.world, at, isOn),
      async () => (await client().getBalance({ address: DEVNET_ACTORS.keeper.address })) === 0n,
      [true, false],
    ],
    [
      'the price of dollar tokens',
      (isOn) => setDollarPrice(started.world, at, isOn ? '0.97' : null),
      async () => {
        const feed = { address: DEPLOYMENT.feeds.dollar, abi: priceFeedAbi } as const
        return (await client().readContract({ ...feed, functionName: 'latestRoundData' }))[1]
      },
      [97_000_000n, 100_000_000n],
    ],
  ])('default: %s, on and off', async (_, set, read, [on, off]) => {
    await set(true)
    expect(await read()).toBe(on)
    await set(false)
    expect(await read()).toBe(off)
  })

  test('default: a payment of whole units', async () => {
    await payAccount(started.world, { ...at, account, token: 'USDC', units: '2.5' })
    const call = { address: USDC, abi: erc20Abi, functionName: 'balanceOf' } as const
    expect(await client().readContract({ ...call, args: [account] })).toBe(2_500_000n)
  })

  test('default: blocks, and a reorganisation that takes a payment back', async () => {
    const head = await client().getBlockNumber()
    await mineBlocks(started.world, at, 3)
    expect(await client().getBlockNumber()).toBe(head + 3n)
    const paid = await payAccount(started.world, { ...at, account, token: 'USDC', units: '1' })
    await reorganiseChain(started.world, at, 1)
    const hash = paid as Hash
    await expect(client().getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
    await expect(reorganiseChain(started.world, at, 9_999)).rejects.toThrow(ControlError)
  })

  test('error: what is not there', async () => {
    const refused: (() => Promise<unknown>)[] = [
      async () => setSanctioned(started.world, { chainId: 999, account }, true),
      async () => setFrozen(started.world, { ...dollar, account }, true),
      async () => setPaused(started.world, { vault: 'Harbor Gold', chainId: 1 }, true),
      async () => setCapClosed(started.world, { vault: 'Harbor Classic', chainId: 1 }, true),
      async () => payAccount(started.world, { ...at, account, token: 'EUR', units: '1' }),
    ]
    for (const control of refused) await expect(control()).rejects.toThrow(ControlError)
  })
})

function of({ vault, chainId }: { vault: string; chainId: number }) {
  return vaultDeployment(vault, chainId)
}

function oracle(): Address {
  return VAULT_CHAINS.find(({ chainId }) => chainId === 1)?.smartDeposit.sanctionsOracle ?? '0x'
}
