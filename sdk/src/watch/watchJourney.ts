import type { Hash } from 'viem'
import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { getJourneyOperation } from '../generated/operations.ts'
import { waitForEnd } from './waitForEnd.ts'
import { readBy, type Watched, type WatchOptions, watchStates } from './watchStates.ts'

type Journey = Answer<'getJourney'>['journey']
const QUERY = 'subscription ($id: Hash!) { journey(id: $id) { status } }'

export type WaitForJourneyOptions = WatchOptions & {
  /** Default: DEPOSITED. */
  until?: 'ARRIVED' | 'DEPOSITED' | 'FINALIZED'
}

/** The statuses in which each one has been reached. */
const REACHED: Record<string, readonly string[]> = {
  ARRIVED: ['ARRIVED', 'DEPOSITED', 'FINALIZED'],
  DEPOSITED: ['DEPOSITED', 'FINALIZED'],
  FINALIZED: ['FINALIZED'],
}
const ENDS = ['FINALIZED', 'REFUNDED', 'RECOVERED']

export function watchedJourney(id: Hash): Watched<Journey> {
  return {
    subscription: { query: QUERY, variables: { id } },
    absent: ['JOURNEY_NOT_FOUND'],
    isEnd: ({ status, order }) =>
      ENDS.includes(status) || (status === 'REMOVED' && order.finalized),
    read: readBy(getJourneyOperation, { id }, 'journey'),
  }
}

/**
 * The journey as it changes on either of its legs, until it is final or has ended otherwise. One that is not known yet is
 * awaited; null is one that a reorganisation took away.
 *
 * @example
 * for await (const journey of watchJourney(connection, journeyId)) console.log(journey?.status)
 */
export function watchJourney(
  connection: Connection,
  id: Hash,
  options: WatchOptions = {},
): AsyncGenerator<Journey | null> {
  return watchStates(connection, watchedJourney(id), options)
}

/**
 * A journey once it has reached a status. Throws `ENDED_OTHERWISE` if it ended with another one.
 *
 * @example
 * const { expectedShares } = await waitForJourney(connection, journeyId)
 */
export async function waitForJourney(
  connection: Connection,
  id: Hash,
  options: WaitForJourneyOptions = {},
): Promise<Journey> {
  const { until = 'DEPOSITED' } = options
  const states = watchJourney(connection, id, options)
  return waitForEnd(states, ({ status }) => REACHED[until]?.includes(status) === true)
}
