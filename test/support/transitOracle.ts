import type { Hex } from 'viem'
import type { StationEvent } from './stationEvents.ts'

/** A chain up to `head`; later events are ignored. */
export type OracleChain = { chainId: number; eid: number; finalityDepth: number; head: number }

/**
 * A row of `read.transit_order`, with its timeline instead of the facts that this is made of: int8 and
 * numeric as decimal text, the rest as json spells it.
 */
export type OracleOrder = {
  id: string
  source_chain_id: number
  destination_chain_id: number
  offer_asset: string
  want_asset: string
  offer_amount: string | null
  amount_due: string | null
  remaining_amount_due: string | null
  user_address: string | null
  receiver: string
  distributor_code: string | null
  protocol_fee: string | null
  integrator_fee: string | null
  integrator_fee_receiver: string | null
  deadline: string | null
  message_guid: string | null
  /** Normalized to 18 decimals; null where no message was sent. */
  bridged_amount: string | null
  receive_time: string
  status: 'PENDING_BRIDGE' | 'PROCESSING' | 'PROCESSED' | 'REMOVED'
  created_at: string
  updated_at: string
  finalized: boolean
  executions: (OracleRecord & { amount: string; remaining: string })[]
  removals: (OracleRecord & { remaining: string })[]
  timeline: OracleStep[]
}

type OracleRecord = {
  chainId: number
  transactionHash: Hex
  blockNumber: number
  logIndex: number
  timestamp: number
}
type OracleStep = {
  step: string
  chainId: number
  transactionHash: Hex
  blockNumber: number
  timestamp: number
  amount: string | null
  remaining: string | null
  finalized: boolean
}

type Moment = { chainId: number; block: number; time: number }
type Step = Omit<OracleStep, 'finalized'>
type Assets = Pick<OracleOrder, 'offer_asset' | 'want_asset' | 'receiver'>
type Terms = Pick<
  OracleOrder,
  'protocol_fee' | 'integrator_fee' | 'integrator_fee_receiver' | 'deadline'
>

/** The events of one chain's station about one order. */
type Side = {
  submitted?: Assets & Moment & { eid: number; amount: bigint; user: string; code: string }
  terms?: Terms
  bridged?: { amount: bigint; guid: string }
  received?: Assets & Moment & { due: bigint; queuedAt: bigint }
  arrival?: { eid: number; guid: string }
  remaining: bigint
  isPaid: boolean
  /** All changes of the order here after its arrival. */
  changes: Moment[]
  barred?: Moment
  executions: OracleOrder['executions']
  removals: OracleOrder['removals']
  steps: Step[]
}

/** No JSON reader gives a later whole second exactly. */
const LATEST_TIME = 2n ** 53n - 1n

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
  return { remaining: 0n, isPaid: false, changes: [], executions: [], removals: [], steps: [] }
}

function apply(side: Side, event: StationEvent) {
  const { chainId, blockNumber: block, blockTimestamp: time, transactionHash, logIndex } = event
  const moment = { chainId, block, time }
  const place = { chainId, transactionHash, blockNumber: block, timestamp: time }
  const record = { ...place, logIndex }
  const note = (step: string, amount: bigint | null = null, remaining: bigint | null = null) =>
    side.steps.push({ step, ...place, amount: textOf(amount), remaining: textOf(remaining) })
  switch (event.eventName) {
    case 'OrderSubmitted': {
      const { quote, user } = event.args
      const assets = assetsOf({ ...quote.route, receiver: quote.receiver })
      const { offerAmount: amount, distributorCode: code } = quote
      const eid = quote.route.destEID
      side.submitted = { ...moment, ...assets, eid, amount, user: user.toLowerCase(), code }
      side.terms = {
        protocol_fee: String(quote.protocolFee),
        integrator_fee: String(quote.integratorFee),
        integrator_fee_receiver: quote.integratorFeeReceiver.toLowerCase(),
        deadline: String(quote.deadline > LATEST_TIME ? LATEST_TIME : quote.deadline),
      }
      note('SUBMITTED', amount)
      break
    }
    case 'OrderBridged':
      side.bridged = {
        amount: event.args.terms.offerAmountNormalized18AfterFees,
        guid: event.args.guid,
      }
      note('BRIDGED')
      break
    case 'OrderReceived': {
      const { terms, amountDue: due, queuedAt } = event.args.order
      side.received = { ...moment, ...assetsOf(terms), due, queuedAt }
      side.remaining = due
      side.changes.push(moment)
      note('RECEIVED', due, due)
      break
    }
    case 'OrderBridgeReceived':
      side.arrival = { eid: event.args.srcEID, guid: event.args.guid }
      break
    case 'OrderExecuted': {
      const { amount, remaining } = event.args
      side.executions.push({ ...record, amount: String(amount), remaining: String(remaining) })
      side.remaining = remaining
      side.isPaid = remaining === 0n
      side.changes.push(moment)
      note('EXECUTED', amount, remaining)
      if (side.isPaid) note('PROCESSED', null, 0n)
      break
    }
    case 'OrderForceRemoved': {
      const remaining = event.args.order.amountDue
      side.removals.push({ ...record, remaining: String(remaining) })
      side.remaining = remaining
      side.changes.push(moment)
      note('REMOVED', null, remaining)
      break
    }
    case 'UUIDForceSetUsed':
      // It prevents a later delivery; an id that is already used does not change.
      if (side.received || side.barred) break
      side.barred = moment
      note('TOMBSTONED')
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
    source_chain_id: sourceId ?? chainOf(arrival?.arrival?.eid),
    destination_chain_id: destinationId,
    offer_asset: assets.offer_asset,
    want_asset: assets.want_asset,
    receiver: assets.receiver,
    offer_amount: text(submitted?.amount),
    amount_due: text(received?.due),
    remaining_amount_due: received ? text(side?.remaining) : null,
    user_address: submitted?.user ?? null,
    distributor_code: submitted?.code ?? null,
    protocol_fee: source?.terms?.protocol_fee ?? null,
    integrator_fee: source?.terms?.integrator_fee ?? null,
    integrator_fee_receiver: source?.terms?.integrator_fee_receiver ?? null,
    deadline: source?.terms?.deadline ?? null,
    message_guid: source?.bridged?.guid ?? side?.arrival?.guid ?? null,
    bridged_amount: text(source?.bridged?.amount),
    receive_time: String(received?.queuedAt ?? 0),
    status: statusOf(side),
    created_at: String(assets.time),
    updated_at: String(Math.max(...events.map(({ time }) => time))),
    finalized: submitted !== undefined && events.every((event) => isFinal(event, chains)),
    executions: side?.executions ?? [],
    removals: side?.removals ?? [],
    timeline: timelineOf(source, side).map((step) => ({
      ...step,
      finalized: isFinal({ chainId: step.chainId, block: step.blockNumber }, chains),
    })),
  }
}

const STEPS_ON_SOURCE = ['SUBMITTED', 'BRIDGED']

/** A chain's own steps in the order of its logs, except that the station reports a submission last. */
function timelineOf(source: Side | undefined, destination: Side | undefined): Step[] {
  const left = STEPS_ON_SOURCE.flatMap(
    (name) => source?.steps.filter(({ step }) => step === name) ?? [],
  )
  const right = destination?.steps.filter(({ step }) => !STEPS_ON_SOURCE.includes(step)) ?? []
  const [barred] = destination?.received ? [] : right
  const isBarredFirst = barred && source?.submitted && barred.timestamp < source.submitted.time
  return isBarredFirst ? [...right, ...left] : [...left, ...right]
}

function statusOf(destination: Side | undefined): OracleOrder['status'] {
  if (!destination?.received) return destination?.barred ? 'REMOVED' : 'PENDING_BRIDGE'
  if (destination.removals.length > 0) return 'REMOVED'
  return destination.isPaid ? 'PROCESSED' : 'PROCESSING'
}

function isFinal({ chainId, block }: Omit<Moment, 'time'>, chains: OracleChain[]): boolean {
  const chain = chains.find((candidate) => candidate.chainId === chainId)
  return chain !== undefined && chain.head - block >= chain.finalityDepth
}

function text(amount: bigint | undefined): string | null {
  return amount === undefined ? null : String(amount)
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount)
}
