import { gather } from '../../cache/gather.ts'
import type { SharedServices } from '../../context.ts'
import type { IndexProgress } from '../../index/indexProgress.ts'
import {
  createResourceWatch,
  type IndexSignal,
  type ResourceWatch,
} from '../../watch/resourceWatch.ts'
import { isFoundRequest, selectWithdrawalRequests } from './selectWithdrawalRequests.ts'
import {
  type WithdrawalId,
  type WithdrawalRequest,
  withdrawalIdOf,
  withdrawalPlace,
} from './withdrawalRequest.ts'
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
  readIndex,
}: Pick<SharedServices, 'readIndex'>): WithdrawalRequestsById {
  const select = gather((ids: WithdrawalId[]) =>
    readIndex(async ({ sql }) => {
      const rows = await selectWithdrawalRequests(sql, ids)
      const requests = rows.filter(isFoundRequest).map(toWithdrawalRequest)
      return {
        heads: rows[0]?.progress ?? [],
        chainIds: ids.map((id) => withdrawalPlace(id).chainId),
        requests: new Map(requests.map((request) => [withdrawalIdOf(request), request])),
      }
    }),
  )
  return {
    async read(id) {
      const { heads, requests } = await select(id)
      return { progress: heads, request: requests.get(id) }
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
