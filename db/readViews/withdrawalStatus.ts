/** The states of a withdrawal request. */
export const WITHDRAWAL_STATUSES = ['PENDING', 'COMPLETE', 'PENDING_REFUND', 'REFUNDED'] as const

/** The status of a withdrawal request, by the columns of `withdrawal_request`. */
export const WITHDRAWAL_STATUS = `
  case when is_refunded then 'REFUNDED' when is_paid then 'COMPLETE'
    when is_marked_for_refund then 'PENDING_REFUND' else 'PENDING' end`

/** The condition of a request that still waits in its queue: PENDING or PENDING_REFUND. */
export const WITHDRAWAL_WAITS = 'is_submitted and not is_paid and not is_refunded'

/** `read.withdrawal_status`: the status as a function, for queries over the `read` views. */
export const withdrawalStatusFunction = `
  create or replace function read.withdrawal_status(
    is_refunded boolean, is_paid boolean, is_marked_for_refund boolean
  ) returns text language sql immutable parallel safe return ${WITHDRAWAL_STATUS}`

/** `read.waiting_withdrawal`: the requests that wait in the queues. Read those of one queue by index. */
export const waitingWithdrawalView = `
  create view read.waiting_withdrawal as
  select chain_id, queue, order_index, want_asset, offer_amount, is_marked_for_refund
  from read.withdrawal_request where ${WITHDRAWAL_WAITS}`
