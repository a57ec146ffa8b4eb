import type { Connection } from '../connection/connection.ts'
import type { Answer } from '../connection/operation.ts'
import { sendRequest } from '../connection/sendRequest.ts'
import { getWithdrawalRequestOperation } from '../generated/operations.ts'
import { waitForEnd } from './waitForEnd.ts'
import { type Watched, type WatchOptions, watchStates } from './watchStates.ts'

type WithdrawalRequest = Answer<'getWithdrawalRequest'>['withdrawalRequest']
const QUERY = 'subscription ($id: WithdrawalRequestId!) { withdrawalRequest(id: $id) { status } }'

export type WaitForWithdrawalOptions = WatchOptions & {
  /** Default: COMPLETE. */
  until?: WithdrawalRequest['status']
}

export function watchedWithdrawal(connection: Connection, id: string): Watched<WithdrawalRequest> {
  return {
    subscription: { query: QUERY, variables: { id } },
    canHold: true,
    absent: ['WITHDRAWAL_REQUEST_NOT_FOUND'],
    isEnd: ({ status }) => status === 'COMPLETE' || status === 'REFUNDED',
    read: async ({ etag, waitSeconds }, call) => {
      const params = { id, ...(waitSeconds > 0 ? { waitSeconds } : {}) }
      const answer = await sendRequest(connection, getWithdrawalRequestOperation, {
        params,
        options: call,
        etag,
      })
      return { data: answer.data?.withdrawalRequest ?? null, etag: answer.etag }
    },
  }
}

/**
 * A withdrawal request once it has a status. Throws `ENDED_OTHERWISE` if it ended with another one.
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
  const states = watchStates(connection, watchedWithdrawal(connection, id), options)
  return waitForEnd(states, ({ status }) => status === until)
}
