import type { Hash } from 'viem'
import type { Connection } from '../connection/connection.ts'
import type { components } from '../generated/api.ts'
import { getTransitOrderOperation } from '../generated/operations.ts'
import { hasEnded, newSteps, type TransitStep, transitSteps } from './transitSteps.ts'
import { waitForEnd } from './waitForEnd.ts'
import { readBy, type Watched, type WatchOptions, watchStates } from './watchStates.ts'

type TransitOrder = components['schemas']['TransitOrder']

/** One selected field is enough: the event only shows that there is news. */
const QUERY =
  'subscription ($id: Hash!) { transitOrder(id: $id) { status remainingAmountDue finalized } }'

export function watchedOrder(orderId: Hash): Watched<TransitOrder> {
  return {
    subscription: { query: QUERY, variables: { id: orderId } },
    absent: ['ORDER_NOT_FOUND'],
    isEnd: (order) => order.finalized && hasEnded(order),
    read: readBy(getTransitOrderOperation, { orderId }, 'order'),
  }
}

/**
 * The order as it changes, until it has ended and is finalized. An order that is not known yet is awaited; null is one
 * that a reorganisation took away.
 *
 * @example
 * for await (const order of watchTransitOrder(connection, orderId)) console.log(order?.status)
 */
export function watchTransitOrder(
  connection: Connection,
  orderId: Hash,
  options: WatchOptions = {},
): AsyncGenerator<TransitOrder | null> {
  return watchStates(connection, watchedOrder(orderId), options)
}

/**
 * The steps of an order, each once and in order, until it has ended and is finalized. An order that is not known yet
 * is awaited; an order that is never submitted is awaited until the signal ends it. An order that a reorganisation
 * took away is awaited again, after its steps were reported as REVERTED.
 *
 * @example
 * for await (const { step } of followTransitOrder(connection, orderId)) console.log(step)
 */
export async function* followTransitOrder(
  connection: Connection,
  orderId: Hash,
  options: WatchOptions = {},
): AsyncGenerator<TransitStep, void> {
  let seen = new Map<string, TransitStep>()
  for await (const order of watchTransitOrder(connection, orderId, options)) {
    // The destination may be indexed first. Its steps follow those of the source, so they wait for them.
    if (order && seen.size === 0 && order.sourceTxHash === null) continue
    const present: typeof seen = order ? transitSteps(order) : new Map()
    yield* newSteps(seen, present)
    seen = present
  }
}

export type WaitForTransitOrderOptions = WatchOptions & {
  /** Default: PROCESSED. */
  until?: 'SUBMITTED' | 'RECEIVED' | 'PROCESSED' | 'REMOVED'
  /** Also wait until no reorganisation is expected to take it back. Default: false. */
  finalized?: boolean
}

/**
 * The order once it has made a step, or has the status REMOVED. Throws `ENDED_OTHERWISE` once it is finalized without the step.
 *
 * @example
 * const signal = AbortSignal.timeout(60_000)
 * const { amountDue } = await waitForTransitOrder(connection, orderId, { signal })
 */
export async function waitForTransitOrder(
  connection: Connection,
  orderId: Hash,
  options: WaitForTransitOrderOptions = {},
): Promise<TransitOrder> {
  const { until = 'PROCESSED', finalized = false } = options
  const states = watchTransitOrder(connection, orderId, options)
  const isReached = ({ status, timeline }: TransitOrder) =>
    status === until || timeline.some(({ step }) => step === until)
  return waitForEnd(states, (order) => isReached(order) && (order.finalized || !finalized))
}
