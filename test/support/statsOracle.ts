import type { Latency } from './quotes.ts'
import type { StationEvent } from './stationEvents.ts'
import { foldTransitOrders, type OracleChain, type OracleOrder } from './transitOracle.ts'

/** A chain up to its head, with the time of that block. */
export type StatsChain = OracleChain & { headTime: number }

export type StatsRow = {
  sourceChainId: number
  destinationChainId: number
  offerAsset: string
  wantAsset: string
  startTime: number
  endTime: number
  orderCount: number
  offerVolume: string
  deliveredVolume: string
  protocolFees: string
  removedCount: number
  latency: Latency | null
  pendingCount: number
  pendingAmount: string
}

type Range = { startTime: number; endTime: number; interval?: number }

type Sum = { orderCount: number; removedCount: number; offered: bigint; fees: bigint; paid: bigint }

const HOUR = 3_600
const SAMPLE = 100

/**
 * The expected rows of `/v1/transit/stats`, from the events of the stations alone, in the list's order. `decimals` are those of a
 * want asset. Addresses are lower case.
 */
export function foldStats(
  chains: StatsChain[],
  events: StationEvent[],
  range: Range & { decimals: (chainId: number, token: string) => number },
): StatsRow[] {
  const orders = foldTransitOrders(chains, events)
  const heads = new Map(chains.map(({ chainId, head }) => [chainId, head]))
  const start = Math.floor(range.startTime / HOUR) * HOUR
  const end = Math.ceil(range.endTime / HOUR) * HOUR
  const { interval = Infinity } = range
  const sums = new Map<string, { order: OracleOrder; from: number; to: number } & Sum>()

  function sumAt(id: string, time: number): Sum | null {
    const order = orders.get(id)
    if (!order || !isKnown(order) || time <= start || time > end) return null
    const to = Number.isFinite(interval) ? Math.ceil(time / interval) * interval : end
    const [from, until] = [Math.max(start, to - interval), Math.min(end, to)]
    const key = `${from} ${routeOf(order)}`
    const nothing = { orderCount: 0, removedCount: 0, offered: 0n, fees: 0n, paid: 0n }
    const sum = sums.get(key) ?? { order, from, to: until, ...nothing }
    sums.set(key, sum)
    return sum
  }

  const barred = new Set<string>()
  for (const { chainId, blockNumber, blockTimestamp: time, eventName, args } of events) {
    if (blockNumber > (heads.get(chainId) ?? -1) || !('uuid' in args)) continue
    const order = orders.get(args.uuid)
    if (!order) continue
    if (eventName === 'OrderSubmitted') {
      const sum = sumAt(args.uuid, time)
      if (!sum) continue
      sum.orderCount += 1
      sum.offered += args.quote.offerAmount
      sum.fees += args.quote.protocolFee
    } else if (eventName === 'OrderExecuted') {
      const sum = sumAt(args.uuid, time)
      if (sum) sum.paid += args.amount
    } else if (eventName === 'OrderForceRemoved') {
      const sum = sumAt(args.uuid, time)
      if (sum) sum.removedCount += 1
    } else if (eventName === 'UUIDForceSetUsed') {
      // The first use on the destination, of an order that never arrived.
      const isFirst = order.destination_chain_id === chainId && !barred.has(args.uuid)
      if (!isFirst || order.amount_due !== null || order.user_address === null) continue
      barred.add(args.uuid)
      const sum = sumAt(args.uuid, time)
      if (sum) sum.removedCount += 1
    }
  }

  const all = [...orders.values()].filter(isKnown)
  const sent = sentAmounts(events)
  return [...sums.values()]
    .map(({ order, from, to, ...sum }): StatsRow => {
      const ofRoute = all.filter((other) => routeOf(other) === routeOf(order))
      const decimals = range.decimals(order.destination_chain_id, order.want_asset)
      const now = chains.find(({ chainId }) => chainId === order.destination_chain_id)?.headTime
      return {
        sourceChainId: order.source_chain_id,
        destinationChainId: order.destination_chain_id,
        offerAsset: order.offer_asset,
        wantAsset: order.want_asset,
        startTime: from,
        endTime: to,
        orderCount: sum.orderCount,
        offerVolume: String(sum.offered),
        deliveredVolume: String(sum.paid),
        protocolFees: String(sum.fees),
        removedCount: sum.removedCount,
        latency: latencyOf(placed(ofRoute, events), { from, to, now: now ?? 0 }),
        ...pendingOf(ofRoute, sent, decimals),
      }
    })
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** Both chains are in the address book. */
function isKnown({ source_chain_id, destination_chain_id }: OracleOrder): boolean {
  return source_chain_id !== 0 && destination_chain_id !== 0
}

function routeOf(order: OracleOrder): string {
  const { source_chain_id, destination_chain_id, offer_asset, want_asset } = order
  return `${source_chain_id} ${destination_chain_id} ${offer_asset} ${want_asset}`
}

function placeOf(row: StatsRow): string {
  const { startTime, sourceChainId, destinationChainId, offerAsset, wantAsset } = row
  const numbers = [startTime, sourceChainId, destinationChainId]
  return [...numbers.map((number) => String(number).padStart(12)), offerAsset, wantAsset].join()
}

/** An arrival whose submission is above the head of its chain is taken from what is between the chains. */
function pendingOf(orders: OracleOrder[], sent: Map<string, bigint>, decimals: number) {
  const held = orders.filter(({ status }) => status === 'PROCESSING')
  const between = orders.filter(({ status }) => status === 'PENDING_BRIDGE')
  const early = orders.filter((order) => order.user_address === null)
  const sum = (of: OracleOrder[]) => of.reduce((total, { id }) => total + (sent.get(id) ?? 0n), 0n)
  const rest = larger(sum(between) - sum(early))
  const there = held.reduce((total, order) => total + BigInt(order.remaining_amount_due ?? 0), 0n)
  const scaled =
    decimals < 18 ? rest / 10n ** BigInt(18 - decimals) : rest * 10n ** BigInt(decimals - 18)
  return {
    pendingCount: held.length + Math.max(0, between.length - early.length),
    pendingAmount: String(there + scaled),
  }
}

function larger(amount: bigint): bigint {
  return amount < 0n ? 0n : amount
}

/** The amount in the message of each order, in 18 decimals. */
function sentAmounts(events: StationEvent[]): Map<string, bigint> {
  return new Map(
    events.flatMap((event): [string, bigint][] => {
      if (event.eventName === 'OrderBridged')
        return [[event.args.uuid, event.args.terms.offerAmountNormalized18AfterFees]]
      if (event.eventName === 'OrderBridgeReceived')
        return [[event.args.uuid, event.args.order.terms.offerAmountNormalized18AfterFees]]
      return []
    }),
  )
}

type PlacedOrder = { submittedAt: number; executedAt: number | null }

/** Submitted orders, newest first. */
function placed(orders: OracleOrder[], events: StationEvent[]): PlacedOrder[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return events
    .filter(({ eventName }) => eventName === 'OrderSubmitted')
    .flatMap((event) => {
      const order = 'uuid' in event.args ? byId.get(event.args.uuid) : undefined
      return order?.user_address ? [{ order, event }] : []
    })
    .sort(
      (a, b) =>
        b.event.blockTimestamp - a.event.blockTimestamp ||
        b.event.blockNumber - a.event.blockNumber ||
        b.event.logIndex - a.event.logIndex,
    )
    .map(({ order, event }) => {
      const last = order.executions.at(-1)
      const isPaid = last?.remaining === '0'
      return { submittedAt: event.blockTimestamp, executedAt: isPaid ? last.timestamp : null }
    })
}

type Time = { from: number; to: number; now: number }

function latencyOf(orders: PlacedOrder[], { from, to, now }: Time): Latency | null {
  const isThen = ({ submittedAt }: PlacedOrder) => submittedAt > from && submittedAt <= to
  const sample = orders.filter((order) => isThen(order) && order.executedAt !== null)
  const newest = sample.slice(0, SAMPLE)
  const [first, last] = [newest[0], newest.at(-1)]
  if (!first || !last) return null
  const judged = orders
    .slice(0, 500)
    .filter(isThen)
    .flatMap(({ submittedAt, executedAt }) => {
      const before = orders.filter((other) => (other.executedAt ?? Infinity) <= submittedAt)
      if (before.length === 0) return []
      const latest = submittedAt + percentile(before.slice(0, 500), 0.9) / 1_000
      if (executedAt === null) return now > latest ? [0] : []
      return [executedAt <= latest ? 1 : 0]
    })
  const held = judged.reduce<number>((sum, one) => sum + one, 0)
  return {
    p50Ms: percentile(newest, 0.5),
    p90Ms: percentile(newest, 0.9),
    p99Ms: percentile(newest, 0.99),
    sampleSize: newest.length,
    windowSeconds: first.submittedAt - last.submittedAt,
    heldP90: judged.length < 5 ? null : held / judged.length,
  }
}

function percentile(orders: PlacedOrder[], share: number): number {
  const seconds = orders.map(({ submittedAt, executedAt }) =>
    Math.max(0, (executedAt ?? submittedAt) - submittedAt),
  )
  const sorted = seconds.toSorted((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return Math.round(1_000 * (low + (high - low) * (at % 1)))
}
