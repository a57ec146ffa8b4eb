import type { Hash } from 'viem'
import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { getSmartDepositOperation } from '../generated/operations.ts'
import { waitForEnd } from './waitForEnd.ts'
import { readBy, type Watched, type WatchOptions, watchStates } from './watchStates.ts'

type SmartDeposit = Answer<'getSmartDeposit'>['smartDeposit']
const QUERY = 'subscription ($id: Hash!) { smartDeposit(depositId: $id) { status } }'

export type WaitForSmartDepositOptions = WatchOptions & {
  /** Default: CONFIRMED. */
  until?: 'PENDING' | 'CONFIRMED' | 'FINALIZED' | 'FAILED'
}

/** The statuses in which each one has been reached. */
const REACHED: Record<string, readonly string[]> = {
  PENDING: ['PENDING', 'CONVERTING', 'CONFIRMED', 'FINALIZED', 'FAILED'],
  CONFIRMED: ['CONFIRMED', 'FINALIZED'],
  FINALIZED: ['FINALIZED'],
  FAILED: ['FAILED'],
}

export function watchedSmartDeposit(depositId: Hash): Watched<SmartDeposit> {
  return {
    subscription: { query: QUERY, variables: { id: depositId } },
    absent: ['SMART_DEPOSIT_NOT_FOUND'],
    isEnd: ({ status }) => status === 'FINALIZED' || status === 'FAILED',
    read: readBy(getSmartDepositOperation, { depositId }, 'smartDeposit'),
  }
}

/**
 * The smart deposit as it changes, until it is final or has failed. One that is not known yet is awaited; null is one
 * that a reorganisation took away.
 *
 * @example
 * for await (const deposit of watchSmartDeposit(connection, depositId)) console.log(deposit?.status)
 */
export function watchSmartDeposit(
  connection: Connection,
  depositId: Hash,
  options: WatchOptions = {},
): AsyncGenerator<SmartDeposit | null> {
  return watchStates(connection, watchedSmartDeposit(depositId), options)
}

/**
 * A smart deposit once it has reached a status. Throws `ENDED_OTHERWISE` if it ended with another one.
 *
 * @example
 * const { mintedAmount } = await waitForSmartDeposit(connection, depositId)
 */
export async function waitForSmartDeposit(
  connection: Connection,
  depositId: Hash,
  options: WaitForSmartDepositOptions = {},
): Promise<SmartDeposit> {
  const { until = 'CONFIRMED' } = options
  const states = watchSmartDeposit(connection, depositId, options)
  return waitForEnd(states, ({ status }) => REACHED[until]?.includes(status) === true)
}
