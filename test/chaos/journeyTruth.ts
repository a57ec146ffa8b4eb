import { deepStrictEqual, strictEqual } from 'node:assert'
import {
  encodeAbiParameters,
  erc20Abi,
  getAbiItem,
  type Hex,
  keccak256,
  parseEventLogs,
} from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { createChainHistory } from '../simulation/chainHistory.ts'
import { CHAIN_ID, type Place } from '../simulation/keeperTraffic.ts'
import { getJson } from '../support/getJson.ts'
import { owedByStation } from '../support/owedByStation.ts'
import type { StationEvent } from '../support/stationEvents.ts'
import { CHAOS_CHAINS } from './installation.ts'

/** From the least advanced on, as the documentation has them. */
const ORDER = [
  'SENT',
  'BRIDGED',
  'ARRIVED',
  'REMOVED',
  'RETAINED',
  'RECOVERED',
  'REFUNDED',
  'DEPOSITED',
  'FINALIZED',
]
const ENDS = { Forwarded: 'FINALIZED', Refunded: 'REFUNDED', Recovered: 'RECOVERED' } as const
const abi = smartDepositFactoryAbi
const SETTLEMENTS = [
  getAbiItem({ abi, name: 'Forwarded' }),
  getAbiItem({ abi, name: 'Refunded' }),
  getAbiItem({ abi, name: 'Recovered' }),
] as const

type Part = { payment: Hex; amount: string; settledBy: Hex }
type Expected = { status: string; parts: Part[] }
type Shown = {
  status: string
  smartDeposits: {
    receiptTxHash: Hex
    receivedAmount: string
    forwardTxHash?: Hex
    recoveryTxHash?: Hex
  }[]
}

export type JourneyTally = { journeys: number; endings: Record<string, number> }

/**
 * Every journey as the API shows it once all is final is the one that the nodes' logs make: its status and, in their order, its
 * payments with their settlements. What an order owes is in its payments, or unpaid.
 */
export async function checkJourneys(
  url: string,
  world: World,
  places: Place[],
): Promise<JourneyTally> {
  const read = CHAOS_CHAINS.map((id) => createChainHistory(world, id).read())
  const events = (await Promise.all(read)).flatMap((version) => version.events)
  const settlements = await readSettlements(world)
  const orders = Map.groupBy(events, ({ args }) => ('uuid' in args ? args.uuid : '0x'))
  const endings: Record<string, number> = {}
  const expected = new Map<Hex, Expected>()
  for (const [id, ofOrder] of orders) {
    const journey = await journeyOf(world, ofOrder, { places, settlements })
    if (!journey) continue
    expected.set(id, journey)
    endings[journey.status] = (endings[journey.status] ?? 0) + 1
  }
  for (const [id, journey] of expected) {
    const { body } = await getJson<{ journey: Shown }>(`${url}/v2/earn/journeys/${id}`)
    deepStrictEqual({ id, ...shownAs(body.journey) }, { id, ...journey })
  }
  const listed = await listedIds(url, places)
  deepStrictEqual(listed.sort(), [...expected.keys()].sort())
  return { journeys: expected.size, endings }
}

function shownAs(journey: Shown | undefined): Partial<Expected> {
  if (!journey) return {}
  const parts = journey.smartDeposits.map((deposit) => ({
    payment: deposit.receiptTxHash,
    amount: deposit.receivedAmount,
    settledBy: deposit.recoveryTxHash ?? deposit.forwardTxHash ?? '0x',
  }))
  return { status: journey.status, parts }
}

type Known = { places: Place[]; settlements: Map<Hex, { end: string; by: Hex }> }

/** Null for an order that pays to no smart deposit address, or whose submission is not on its chain any more. */
async function journeyOf(
  world: World,
  events: StationEvent[],
  { places, settlements }: Known,
): Promise<Expected | null> {
  const submission = events.find(({ eventName }) => eventName === 'OrderSubmitted')
  if (submission?.eventName !== 'OrderSubmitted') return null
  const { quote } = submission.args
  const { route, receiver, offerAmount, protocolFee, integratorFee } = quote
  const place = places.find(
    ({ address, token }) =>
      address === receiver.toLowerCase() && token.toLowerCase() === route.wantAsset.toLowerCase(),
  )
  if (!place) return null
  const there = events.filter(({ chainId }) => chainId === CHAIN_ID)
  const executions = there.flatMap((event) => (event.eventName === 'OrderExecuted' ? [event] : []))
  const found: string[] = []
  const parts: Part[] = []
  for (const { transactionHash: payment, args } of executions) {
    const id = await paymentIn(world, payment, place, args.amount)
    const settlement = settlements.get(id)
    found.push(settlement?.end ?? 'ARRIVED')
    parts.push({ payment, amount: String(args.amount), settledBy: settlement?.by ?? '0x' })
  }
  const arrival = there.find(({ eventName }) => eventName === 'OrderReceived')
  const isBarred = there.some(({ eventName }) => eventName === 'UUIDForceSetUsed')
  const isRemoved = there.some(({ eventName }) => eventName === 'OrderForceRemoved')
  // All tokens of these orders have six decimals.
  const due = owedByStation(offerAmount - protocolFee - integratorFee, 6n, 6n)
  if (arrival?.eventName === 'OrderReceived') strictEqual(arrival.args.order.amountDue, due)
  const paid = executions.reduce((sum, { args }) => sum + args.amount, 0n)
  if (isRemoved || (isBarred && !arrival)) found.push('REMOVED')
  else if (!arrival) found.push('SENT')
  else if (paid < due) found.push('BRIDGED')
  return { status: ORDER.find((status) => found.includes(status)) ?? 'ARRIVED', parts }
}

/** The id of a payment in the factory, by its place among the logs of its transaction. */
async function paymentIn(
  world: World,
  hash: Hex,
  { address, token }: Place,
  amount: bigint,
): Promise<Hex> {
  const { logs } = await worldClient(world, CHAIN_ID).getTransactionReceipt({ hash })
  const [payment] = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).filter(
    (log) =>
      log.address.toLowerCase() === token.toLowerCase() &&
      log.args.to.toLowerCase() === address &&
      log.args.value === amount,
  )
  const position = logs.findIndex(({ logIndex }) => logIndex === payment?.logIndex)
  if (position < 0) throw new Error(`${hash} paid nothing to ${address}`)
  const types = [{ type: 'uint256' }, { type: 'bytes32' }, { type: 'uint256' }]
  return keccak256(encodeAbiParameters(types, [BigInt(CHAIN_ID), hash, BigInt(position)]))
}

async function readSettlements(world: World): Promise<Known['settlements']> {
  const { factory } = world.addressBook.chains.find(({ id }) => id === CHAIN_ID)?.smartDeposit ?? {}
  const logs = await worldClient(world, CHAIN_ID).getLogs({
    address: factory,
    fromBlock: 0n,
    strict: true,
    events: SETTLEMENTS,
  })
  return new Map(
    logs.map(({ eventName, args, transactionHash: by }) => [
      args.payment,
      { end: ENDS[eventName], by },
    ]),
  )
}

/** The ids of all pages of all users' lists. */
async function listedIds(url: string, places: Place[]): Promise<Hex[]> {
  const ids: Hex[] = []
  for (const userAddress of new Set(places.map(({ user }) => user)))
    for (let pageToken: string | null = ''; pageToken !== null; ) {
      const query = new URLSearchParams({ userAddress, pageSize: '50', pageToken })
      if (pageToken === '') query.delete('pageToken')
      const { body } = await getJson<{ journeys: { id: Hex }[]; nextPageToken: string | null }>(
        `${url}/v2/earn/journeys?${query}`,
      )
      ids.push(...body.journeys.map(({ id }) => id))
      pageToken = body.nextPageToken
    }
  return ids
}
