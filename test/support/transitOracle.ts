import type { Hex } from 'viem'
import type { StationEvent } from './stationEvents.ts'

/** A chain up to `head`; later events are ignored. */
export type OracleChain = { chainId: number; eid: number; finalityDepth: number; head: number }

/** A row of `read.transit_order`: int8 and numeric as decimal text, the rest as json spells it. */
export type OracleOrder = {
  id: string
  source_chain_id: number
  destination_chain_id: number
  offer_asset: string
  want_asset: string
  offer_amount: string | null
  offer_amount_normalized18: string | null
  amount_due: string | null
  remaining_amount_due: string | null
  user_address: string | null
  receiver: string
  distributor_code: string | null
  receive_time: string
  status: 'PENDING_BRIDGE' | 'PROCESSING' | 'PROCESSED' | 'REMOVED'
  created_at: string
  updated_at: string
  finalized: boolean
  executions: (OracleRecord & { amount: string; remaining: string })[]
  removals: OracleRecord[]
}

type OracleRecord = { chainId: number; transactionHash: Hex; logIndex: number; timestamp: number }

type Moment = { chainId: number; block: number; time: number }
type Assets = Pick<OracleOrder, 'offer_asset' | 'want_asset' | 'receiver'>

/** The events of one chain's station about one order. */
type Side = {
  submitted?: Assets & Moment & { eid: number; amount: bigint; user: string; code: string }
  bridged?: bigint
  received?: Assets & Moment & { due: bigint; queuedAt: bigint }
  sourceEid?: number
  remaining: bigint
  isPaid: boolean
  /** All changes of the order here after its arrival. */
  changes: Moment[]
  barred?: Moment
  executions: OracleOrder['executions']
  removals: OracleOrder['removals']
}

type Sides = Map<number, Side>

/**
 * The expected state of every order with a submission or an arrival, computed event by event. It
 * shares no code with the service. Each chain's events come in the chain's order
 * (`readStationEvents`); events above a chain's head are ignored.
 */
export function foldTransitOrders(
  chains: OracleChain[],
  events: StationEvent[],
): Map<string, OracleOrder> {
  const heads = new Map(chains.map(({ chainId, head }) => [chainId, head]))
  const histories = new Map<string, Sides>()
  for (const event of events) {
    if (event.blockNumber > (heads.get(event.chainId) ?? -1)) continue
    if (!('uuid' in event.args)) continue
    const sides = histories.get(event.args.uuid) ?? new Map<number, Side>()
    histories.set(event.args.uuid, sides)
    const side = sides.get(event.chainId) ?? newSide()
    sides.set(event.chainId, side)
    apply(side, event)
  }
  const orders = new Map<string, OracleOrder>()
  for (const [id, sides] of histories) {
    const order = joinSides({ id, sides, chains })
    if (order) orders.set(id, order)
  }
  return orders
}

function newSide(): Side {
  return { remaining: 0n, isPaid: false, changes: [], executions: [], removals: [] }
}

function apply(side: Side, event: StationEvent) {
  const { chainId, blockNumber: block, blockTimestamp: time, transactionHash, logIndex } = event
  const moment = { chainId, block, time }
  const record = { chainId, transactionHash, logIndex, timestamp: time }
  switch (event.eventName) {
    case 'OrderSubmitted': {
      const { quote, user } = event.args
      const assets = assetsOf({ ...quote.route, receiver: quote.receiver })
      const { offerAmount: amount, distributorCode: code } = quote
      const eid = quote.route.destEID
      side.submitted = { ...moment, ...assets, eid, amount, user: user.toLowerCase(), code }
      break
    }
    case 'OrderBridged':
      side.bridged = event.args.terms.offerAmountNormalized18AfterFees
      break
    case 'OrderReceived': {
      const { terms, amountDue: due, queuedAt } = event.args.order
      side.received = { ...moment, ...assetsOf(terms), due, queuedAt }
      side.remaining = due
      side.changes.push(moment)
      break
    }
    case 'OrderBridgeReceived':
      side.sourceEid = event.args.srcEID
      break
    case 'OrderExecuted': {
      const { amount, remaining } = event.args
      side.executions.push({ ...record, amount: String(amount), remaining: String(remaining) })
      side.remaining = remaining
      side.isPaid = remaining === 0n
      side.changes.push(moment)
      break
    }
    case 'OrderForceRemoved':
      side.removals.push(record)
      side.remaining = event.args.order.amountDue
      side.changes.push(moment)
      break
    case 'UUIDForceSetUsed':
      // It prevents a later delivery; an id that is already used does not change.
      if (!side.received) side.barred ??= moment
      break
  }
}

function assetsOf(terms: { offerAsset: string; wantAsset: string; receiver: string }): Assets {
  return {
    offer_asset: terms.offerAsset.toLowerCase(),
    want_asset: terms.wantAsset.toLowerCase(),
    receiver: terms.receiver.toLowerCase(),
  }
}

type History = { id: string; sides: Sides; chains: OracleChain[] }

/** Null if the order was neither submitted nor received, as after a tombstone for a quote. */
function joinSides({ id, sides, chains }: History): OracleOrder | null {
  const chainOf = (eid?: number) => chains.find((chain) => chain.eid === eid)?.chainId ?? 0
  const all = [...sides.entries()]
  const [sourceId, source] = all.find(([, { submitted }]) => submitted) ?? []
  const [arrivalId, arrival] = all.find(([, { received }]) => received) ?? []
  const submitted = source?.submitted
  const assets = submitted ?? arrival?.received
  if (!assets) return null
  const destinationId = submitted ? chainOf(submitted.eid) : (arrivalId ?? 0)
  const side = sides.get(destinationId)
  const received = side?.received
  const events = [
    ...(submitted ? [submitted] : []),
    ...(received ? (side?.changes ?? []) : side?.barred ? [side.barred] : []),
  ]
  return {
    id,
    source_chain_id: sourceId ?? chainOf(arrival?.sourceEid),
    destination_chain_id: destinationId,
    offer_asset: assets.offer_asset,
    want_asset: assets.want_asset,
    receiver: assets.receiver,
    offer_amount: text(submitted?.amount),
    // Gives the expected amount due, so only until the real one is known.
    offer_amount_normalized18: received ? null : text(source?.bridged),
    amount_due: text(received?.due),
    remaining_amount_due: received ? text(side?.remaining) : null,
    user_address: submitted?.user ?? null,
    distributor_code: submitted?.code ?? null,
    receive_time: String(received?.queuedAt ?? 0),
    status: statusOf(side),
    created_at: String(assets.time),
    updated_at: String(Math.max(...events.map(({ time }) => time))),
    finalized: submitted !== undefined && events.every((event) => isFinal(event, chains)),
    executions: side?.executions ?? [],
    removals: side?.removals ?? [],
  }
}

function statusOf(destination: Side | undefined): OracleOrder['status'] {
  if (!destination?.received) return destination?.barred ? 'REMOVED' : 'PENDING_BRIDGE'
  if (destination.removals.length > 0) return 'REMOVED'
  return destination.isPaid ? 'PROCESSED' : 'PROCESSING'
}

function isFinal({ chainId, block }: Moment, chains: OracleChain[]): boolean {
  const chain = chains.find((candidate) => candidate.chainId === chainId)
  return chain !== undefined && chain.head - block >= chain.finalityDepth
}

function text(amount: bigint | undefined): string | null {
  return amount === undefined ? null : String(amount)
}
