import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { type Address, encodeFunctionData, parseGwei } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { CONVERSION_RATE_HUNDREDTHS_BPS } from '../../devnet/plan.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { encodeHandCall, type HandCall } from '../support/handCall.ts'
import type { KeeperAttack } from './keeperAttacks.ts'
import { CHAIN_ID } from './keeperTraffic.ts'

/** The chain on which the attackers of generation B pay. */
export const AWAY = 4663
const { USDC, USDG } = DEPLOYMENT.tokens
const { deployer } = DEVNET_ACTORS
const ROOT = join(import.meta.dirname, '../..')
const PAYMENTS = 150
const RACED_PAYMENTS = 20
const PLENTY = 10n ** 15n
const HONEST_AMOUNT = 500_000_000n
/** Longer than a quote lives. */
const STALE_SECONDS = 3_600
/** The least order follows the price of gas, which falls while the chain is quiet. */
const MARGIN = { above: 105n, below: 70n, of: 100n }

export type HostileTokens = {
  worthless: Address
  withFee: Address
  /** With a route to what the address accepts. */
  listedWithFee: Address
  blocking: Address
}

/** Creates the attackers' tokens. */
export async function createHostileTokens(world: World): Promise<HostileTokens> {
  const plain = await compileContracts(join(ROOT, 'devnet/contracts'))
  const odd = await compileContracts(join(ROOT, 'test/contracts'))
  const client = worldClient(world, AWAY)
  const attacker = userAt(0)
  const create = async (
    contract: (typeof plain)[string] | undefined,
    args: unknown[],
    mint: HandCall,
  ) => {
    if (!contract) throw new Error('a token was not compiled')
    const hash = await client.deployContract({ ...contract, account: attacker, args })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('no token was created')
    await sendHand(world, { account: attacker, to: contractAddress, call: mint })
    return contractAddress.toLowerCase() as Address
  }
  const one: HandCall = ['function mint(address,uint256)', attacker.address, PLENTY]
  const many: HandCall = ['function mint(address[],uint256)', [attacker.address], PLENTY]
  return {
    worthless: await create(plain.PlainToken, ['Worthless', 'NIL', 6, attacker.address], many),
    withFee: await create(odd.FeeToken, [], one),
    listedWithFee: await create(odd.FeeToken, [], one),
    blocking: await create(plain.BlacklistToken, ['Blocking', 'BLK', 6, attacker.address], many),
  }
}

/** The book with hostile tokens that are listed, and with their routes. */
export function withListedTokens(
  book: AddressBookFile,
  { listedWithFee, blocking }: HostileTokens,
): AddressBookFile {
  const listed = book.tokens.find(({ chainId, address }) => chainId === AWAY && address === USDG)
  if (!listed) throw new Error('the book has no such token')
  const { coinGeckoId: _, ...rest } = listed
  const maxOrderSize = String(PLENTY)
  return {
    ...book,
    tokens: [
      ...book.tokens,
      { ...rest, address: listedWithFee, name: 'Fee', symbol: 'FEE' },
      { ...rest, address: blocking, name: 'Blocking', symbol: 'BLK' },
    ],
    transitRoutes: [
      ...(book.transitRoutes ?? []).map((route) => ({ ...route, maxOrderSize })),
      ...[listedWithFee, blocking].map((offerAsset) => ({
        sourceChainId: AWAY,
        destinationChainId: CHAIN_ID,
        offerAsset,
        wantAsset: USDC,
        minOrderSize: '1000000',
        maxOrderSize,
        conversionRateHundredthsBps: CONVERSION_RATE_HUNDREDTHS_BPS,
      })),
    ],
  }
}

type Setting = { world: World; sql: Sql; apiUrl: string; tokens: HostileTokens }

/** Attacks on addresses of generation B with tokens other than the accepted one. */
export async function foreignAttacks({
  world,
  sql,
  apiUrl,
  tokens,
}: Setting): Promise<KeeperAttack[]> {
  for (const token of [tokens.listedWithFee, tokens.blocking])
    await approveRoute(world, token, true)
  const least = await leastOrder(apiUrl, { chainId: AWAY, token: USDG })
  const above = (least * MARGIN.above) / MARGIN.of
  const away = {
    chainId: AWAY,
    token: USDG,
    amount: above,
    payments: PAYMENTS,
    generation: 'B',
    honest: { token: USDG, amount: HONEST_AMOUNT },
  } as const
  const raced = { ...away, payments: RACED_PAYMENTS }
  return [
    { ...away, name: 'a worthless token', token: tokens.worthless },
    { ...away, name: 'an unlisted token that takes a fee', token: tokens.withFee },
    { ...away, name: "less than the route's least order", amount: 999_999n },
    {
      ...away,
      name: 'less than the present least order',
      amount: (least * MARGIN.below) / MARGIN.of,
    },
    { ...away, name: 'a little more than the present least order' },
    { ...away, name: 'a listed token that takes a fee', token: tokens.listedWithFee },
    {
      ...away,
      name: 'a token that blocks the address',
      token: tokens.blocking,
      async meanwhile(attacked) {
        const call: HandCall = ['function blacklist(address)', attacked]
        await sendHand(world, { account: userAt(0), to: tokens.blocking, call })
      },
    },
    {
      ...raced,
      name: 'a route that closes before the orders are mined',
      async meanwhile(attacked) {
        await untilSent(sql, attacked)
        await approveRoute(world, USDG, false)
        await sleep(5_000)
        await approveRoute(world, USDG, true)
      },
    },
    {
      ...raced,
      name: 'quotes that go stale before the orders are mined',
      async meanwhile(attacked) {
        const client = worldClient(world, AWAY)
        await client.setIntervalMining({ interval: 0 })
        await untilSent(sql, attacked)
        await client.increaseTime({ seconds: STALE_SECONDS })
        await client.setIntervalMining({ interval: 1 })
      },
    },
  ]
}

/** The least amount of which the api prepares an order to the accepted token now, in base units. */
async function leastOrder(apiUrl: string, { chainId, token }: { chainId: number; token: Address }) {
  const query = new URLSearchParams({
    userAddress: userAt(0).address,
    sourceChainId: String(chainId),
    destinationChainId: String(CHAIN_ID),
    offerAsset: token,
    wantAsset: USDC,
    offerAmount: '1',
    indicative: 'true',
  })
  const response = await fetch(`${apiUrl}/v1/transit/orders/quote?${query}`)
  const text = await response.text()
  const found = /"minOrderSize":"(\d+)"/.exec(text)?.[1]
  if (!found) throw new Error(`no least order: ${text}`)
  return BigInt(found)
}

/** Waits until an order for a payment to this address is sent. */
async function untilSent(sql: Sql, address: Address) {
  for (let looks = 0; looks < 1_000; looks += 1) {
    const rows = await sql`
      select from app.keeper_intent i join app.keeper_part p using (chain_id, keeper, nonce)
      join app.keeper_transaction t using (chain_id, keeper, nonce)
      join app.smart_deposit d using (deposit_id)
      where d.address = ${address} and i.state = 'open' and t.sent_at is not null limit 1`
    if (rows.length > 0) return
    await sleep(20)
  }
  throw new Error('the keeper sends no order')
}

/** Opens or closes the route of a token to USDC on Ethereum, before all that waits for the next block. */
async function approveRoute(world: World, offerAsset: Address, isApproved: boolean) {
  const [home, away] = [CHAIN_ID, AWAY].map((id) =>
    worldStations(world).find(({ chainId }) => chainId === id),
  )
  if (!home || !away) throw new Error('a chain has no station')
  const data = encodeFunctionData({
    abi: transitStationAbi,
    functionName: 'setRouteApprovals',
    args: [[{ destEID: home.eid, offerAsset, wantAsset: USDC }], [isApproved]],
  })
  const client = worldClient(world, AWAY)
  const hash = await client.sendTransaction({
    account: deployer,
    to: away.station,
    data,
    gas: 200_000n,
    maxFeePerGas: parseGwei('100'),
    maxPriorityFeePerGas: parseGwei('90'),
  })
  await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

type HandSent = { account: ReturnType<typeof userAt>; to: Address; call: HandCall }

async function sendHand(world: World, { account, to, call }: HandSent) {
  const client = worldClient(world, AWAY)
  const hash = await client.sendTransaction({ account, to, data: encodeHandCall(call) })
  await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}
