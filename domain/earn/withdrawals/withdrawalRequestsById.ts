import { gather } from '../../cache/gather.ts'
import type { SharedServices } from '../../context.ts'
import type { IndexProgress } from '../../index/indexProgress.ts'
import {
  createResourceWatch,
  type IndexSignal,
  type ResourceWatch,
} from '../../watch/resourceWatch.ts'
import { isFoundRequest, selectWithdrawalRequests } from './selectWithdrawalRequests.ts'
import { type WithdrawalId, type WithdrawalRequest, withdrawalIdOf } from './withdrawalRequest.ts'
import { toWithdrawalRequest } from './withdrawalRequestRow.ts'

/** Reads requests by id. Ids that are asked for while a statement runs share the next one. */
export type WithdrawalRequestsById = {
  read(
    id: WithdrawalId,
  ): Promise<{ progress: IndexProgress[]; request: WithdrawalRequest | undefined }>
}

/** Waits for a change of a request's status, receiver or place in the queue. */
export type WithdrawalRequestWatch = ResourceWatch<WithdrawalId, WithdrawalRequest>

export function createWithdrawalRequestsById({
  sql,
}: Pick<SharedServices, 'sql'>): WithdrawalRequestsById {
  const select = gather(async (ids: WithdrawalId[]) => {
    const rows = await selectWithdrawalRequests(sql, ids)
    const requests = rows.filter(isFoundRequest).map(toWithdrawalRequest)
    return {
      progress: rows[0]?.progress ?? [],
      requests: new Map(requests.map((request) => [withdrawalIdOf(request), request])),
    }
  })
  return {
    async read(id) {
      const { progress, requests } = await select(id)
      return { progress, request: requests.get(id) }
    },
  }
}

export function createWithdrawalRequestWatch(
  withdrawalRequestsById: WithdrawalRequestsById,
  onIndexChange: IndexSignal,
): WithdrawalRequestWatch {
  const read = (id: WithdrawalId) => withdrawalRequestsById.read(id).then(({ request }) => request)
  return createResourceWatch({ read, version }, onIndexChange)
}

function version({ status, receiver, queuePosition, sharesAhead }: WithdrawalRequest): string {
  return `${status} ${receiver} ${queuePosition} ${sharesAhead}`
}
