import { WITHDRAWAL_STATUSES } from '../../../db/readViews/withdrawalStatus.ts'
import { listQuery } from '../../page/listQuery.ts'

/** The last request of a page: block time of the submission (Unix seconds), chain, queue and index. */
export type WithdrawalCursor = [
  createdAt: string,
  chainId: string,
  queue: string,
  orderIndex: string,
]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const withdrawalListQuery = listQuery<WithdrawalCursor>({
  list: 'withdrawalRequests',
  keys: {
    userAddress: { type: 'address' },
    receiverAddress: { type: 'address' },
    vaultAddress: { type: 'address' },
    txHash: { type: 'hash' },
    status: { type: 'enum', values: WITHDRAWAL_STATUSES },
    chainId: { type: 'integer' },
    orderIndex: { type: 'amount' },
  },
})
