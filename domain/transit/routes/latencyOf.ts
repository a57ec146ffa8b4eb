import type { Hex } from 'viem'

/** An order of a route. Times are Unix seconds; `executedAt` is null while it is not wholly executed. */
export type TrackedOrder = {
  id: Hex
  offerAmount: bigint
  submittedAt: number
  executedAt: number | null
}

type Times = Pick<TrackedOrder, 'submittedAt' | 'executedAt'>

export type RouteLatency = {
  /** Milliseconds from submission to full payment. */
  p50Ms: number
  p90Ms: number
  p99Ms: number
  /** The orders that the percentiles are over. */
  sampleSize: number
  /** From the submission of the oldest of them to that of the newest. */
  windowSeconds: number
  /** Null while fewer than five orders can be judged. */
  heldP90: number | null
}

/** Orders in a sample, and orders by which the percentiles are judged. */
export const SAMPLE = 500
const ENOUGH = 5
/** An amount from half to twice the offer is similar. */
const SIMILAR = 2n

/** The newest wholly executed orders. `orders` is newest first, as in all functions here. */
export function sampleOf(orders: TrackedOrder[]): TrackedOrder[] {
  return orders.filter(({ executedAt }) => executedAt !== null).slice(0, SAMPLE)
}

/** The percentiles over a sample, without `heldP90`; null without an order. */
export function percentilesOf(sample: Times[]): Omit<RouteLatency, 'heldP90'> | null {
  const [newest, oldest] = [sample[0], sample.at(-1)]
  if (!newest || !oldest) return null
  const sorted = secondsOf(sample)
  return {
    p50Ms: percentileMs(sorted, 0.5),
    p90Ms: percentileMs(sorted, 0.9),
    p99Ms: percentileMs(sorted, 0.99),
    sampleSize: sample.length,
    windowSeconds: newest.submittedAt - oldest.submittedAt,
  }
}

/** The median over orders of a similar size, or over all orders if fewer than five are similar. */
export function estimateLatencyMs(sample: TrackedOrder[], offerAmount?: bigint): number | null {
  const similar = sample.filter(
    (order) =>
      offerAmount !== undefined &&
      order.offerAmount * SIMILAR >= offerAmount &&
      order.offerAmount <= offerAmount * SIMILAR,
  )
  const chosen = similar.length >= ENOUGH ? similar : sample
  return chosen.length === 0 ? null : percentileMs(secondsOf(chosen), 0.5)
}

/** The 90th percentile of the newest orders that were executed by a time, in milliseconds; null without one. */
export function p90At(orders: TrackedOrder[], time: number): number | null {
  const known = orders.filter(({ executedAt }) => executedAt !== null && executedAt <= time)
  return known.length === 0 ? null : percentileMs(secondsOf(known.slice(0, SAMPLE)), 0.9)
}

/**
 * The share of the newest orders that were executed within the 90th percentile of their submission. An order without
 * one is not judged, nor is an order that is open while its time has not passed at `now`.
 */
export function heldShare(orders: TrackedOrder[], promises: Promises, now: number): number | null {
  let held = 0
  let judged = 0
  for (const order of orders.slice(0, SAMPLE)) {
    const promise = promises.get(order.submittedAt)
    if (!promise) continue
    const latest = order.submittedAt + promise.p90Ms / 1_000
    if (order.executedAt === null && now <= latest) continue
    judged += 1
    if (order.executedAt !== null && order.executedAt <= latest) held += 1
  }
  return judged < ENOUGH ? null : held / judged
}

/** By the time of a submission, the percentiles of the orders that were executed by then, as `p90At`. */
export type Promises = ReadonlyMap<number, Pick<RouteLatency, 'p90Ms' | 'p99Ms'>>

/** The percentiles of the `most` newest orders, in one pass from the oldest order to the newest. */
export function promisesOf(orders: TrackedOrder[], most: number): Promises {
  const executed = orders
    .flatMap(({ submittedAt, executedAt }, index) =>
      executedAt === null ? [] : [{ index, executedAt, seconds: executedAt - submittedAt }],
    )
    .sort((a, b) => a.executedAt - b.executedAt)
  // Both sorted: the positions of the sample's orders in the list, and their times.
  const places: number[] = []
  const times: number[] = []
  let next = 0
  const promises = new Map<number, Pick<RouteLatency, 'p90Ms' | 'p99Ms'>>()
  for (let index = orders.length - 1; index >= 0; index -= 1) {
    const { submittedAt = 0 } = orders[index] ?? {}
    for (let one = executed[next]; one && one.executedAt <= submittedAt; one = executed[++next]) {
      insert(places, one.index)
      insert(times, Math.max(0, one.seconds))
      if (places.length <= SAMPLE) continue
      const oldest = orders[places.pop() ?? 0]
      remove(times, Math.max(0, (oldest?.executedAt ?? 0) - (oldest?.submittedAt ?? 0)))
    }
    if (index >= most || times.length === 0) continue
    const [p90Ms, p99Ms] = [percentileMs(times, 0.9), percentileMs(times, 0.99)]
    promises.set(submittedAt, { p90Ms, p99Ms })
  }
  return promises
}

/** Ascending. The clocks of two chains may disagree by a few seconds. */
function secondsOf(sample: Times[]): number[] {
  return sample
    .map(({ submittedAt, executedAt }) => Math.max(0, (executedAt ?? 0) - submittedAt))
    .sort((a, b) => a - b)
}

/** A percentile of ascending seconds in whole milliseconds, between two of them in proportion. */
function percentileMs(sorted: number[], share: number): number {
  const place = (sorted.length - 1) * share
  const lower = sorted[Math.floor(place)] ?? 0
  const upper = sorted[Math.ceil(place)] ?? lower
  return Math.round((lower + (upper - lower) * (place - Math.floor(place))) * 1_000)
}

function insert(sorted: number[], value: number) {
  sorted.splice(firstNotBelow(sorted, value), 0, value)
}

function remove(sorted: number[], value: number) {
  sorted.splice(firstNotBelow(sorted, value), 1)
}

function firstNotBelow(sorted: number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
