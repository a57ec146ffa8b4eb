import type { Address } from 'viem'
import type { SelectedRequest } from './selectWithdrawalRequests.ts'
import type { WithdrawalRequest } from './withdrawalRequest.ts'

export type WithdrawalRequestPage = {
  withdrawalRequests: WithdrawalRequest[]
  nextPageToken: string | null
}

/** A row of the statement of a page, without the progress: all that a page is made from. */
export type ListedRequest = Omit<SelectedRequest, 'progress'> & ExaminedRequests

/** The number of candidates, and the last of them. */
export type ExaminedRequests = {
  examined: number | null
  last_time: bigint | null
  last_chain_id: number | null
  last_queue: Address | null
  last_index: string | null
}
