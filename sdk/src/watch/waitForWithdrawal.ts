import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { getWithdrawalRequestOperation } from '../generated/operations.ts'
import { waitForEnd } from './waitForEnd.ts'
import { readBy, type Watched, type WatchOptions, watchStates } from './watchStates.ts'

type WithdrawalRequest = Answer<'getWithdrawalRequest'>['withdrawalRequest']
const QUERY = 'subscription ($id: WithdrawalRequestId!) { withdrawalRequest(id: $id) { status } }'

export type WaitForWithdrawalOptions = WatchOptions & {
  /** Default: COMPLETE. */
  until?: WithdrawalRequest['status']
}

/** The statuses in which each one has been reached. A queue may refund a cancelled request before anybody has read it. */
const REACHED: Record<WithdrawalRequest['status'], readonly WithdrawalRequest['status'][]> = {
  PENDING: ['PENDING', 'PENDING_REFUND', 'COMPLETE', 'REFUNDED'],
  PENDING_REFUND: ['PENDING_REFUND', 'REFUNDED'],
  COMPLETE: ['COMPLETE'],
  REFUNDED: ['REFUNDED'],
}

export function watchedWithdrawal(id: string): Watched<WithdrawalRequest> {
  return {
    subscription: { query: QUERY, variables: { id } },
    absent: ['WITHDRAWAL_REQUEST_NOT_FOUND'],
    isEnd: ({ status }) => status === 'COMPLETE' || status === 'REFUNDED',
    read: readBy(getWithdrawalRequestOperation, { id }, 'withdrawalRequest'),
  }
}

/**
 * A withdrawal request once it has reached a status: `PENDING_REFUND` also once it is refunded. Throws `ENDED_OTHERWISE` if
 * it ended with another one.
 *
 * @example
 * const { status } = await waitForWithdrawal(connection, withdrawalRequestId)
 */
export async function waitForWithdrawal(
  connection: Connection,
  id: string,
  options: WaitForWithdrawalOptions = {},
): Promise<WithdrawalRequest> {
  const { until = 'COMPLETE' } = options
  const states = watchStates(connection, watchedWithdrawal(id), options)
  return waitForEnd(states, ({ status }) => REACHED[until].includes(status))
}
