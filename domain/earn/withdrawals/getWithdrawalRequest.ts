import type { AddressBook } from '../../addressBook/addressBook.ts'
import { ServiceError } from '../../error/serviceError.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import type { EarnContext } from '../earnContext.ts'
import {
  shownWithdrawalId,
  type WithdrawalId,
  type WithdrawalRequest,
  withdrawalPlace,
} from './withdrawalRequest.ts'

/**
 * One request by id, from the index. Throws `WITHDRAWAL_REQUEST_NOT_FOUND`, also for a request that is
 * not indexed yet, and `INDEX_CATCHING_UP`.
 */
export async function getWithdrawalRequest(
  context: EarnContext,
  id: WithdrawalId,
): Promise<WithdrawalRequest> {
  const { chainId } = withdrawalPlace(id)
  if (vaultChains(context.addressBook).includes(chainId)) {
    const { progress, request } = await context.withdrawalRequestsById.read(id)
    await admitAnswer(context, progress, [chainId])
    if (request) return request
  }
  throw new ServiceError(
    'WITHDRAWAL_REQUEST_NOT_FOUND',
    `There is no withdrawal request ${shownWithdrawalId(id)}, or it is not indexed yet`,
  )
}

/** The chains with vaults, also with vaults that are not served: all vaults are indexed. */
function vaultChains(book: AddressBook): number[] {
  const chainIds = book.vaults.flatMap(({ deployments }) =>
    deployments.map(({ chainId }) => chainId),
  )
  return [...new Set(chainIds)].sort((a, b) => a - b)
}
