/** The states of a withdrawal request. */
export const WITHDRAWAL_STATUSES = ['PENDING', 'COMPLETE', 'PENDING_REFUND', 'REFUNDED'] as const

/** The one place that knows what an order's facts make of it: over the columns of `withdraw_order`. */
export const WITHDRAWAL_STATUS = `
  case when is_refunded then 'REFUNDED' when is_paid then 'COMPLETE'
    when is_marked_for_refund then 'PENDING_REFUND' else 'PENDING' end`

/** Of an order that its queue has still to come to: PENDING or PENDING_REFUND. */
export const WITHDRAWAL_WAITS = 'is_submitted and not is_paid and not is_refunded'

/** The status as a function, for whoever reads an order through the `read` views. */
export const withdrawalStatusFunction = `
  create or replace function read.withdrawal_status(
    is_refunded boolean, is_paid boolean, is_marked_for_refund boolean
  ) returns text language sql immutable parallel safe return ${WITHDRAWAL_STATUS}`

/** `read.waiting_withdrawal`: what waits in the queues; of one, by its index. */
export const waitingWithdrawalView = `
  create view read.waiting_withdrawal as
  select chain_id, queue, order_index, want_asset, offer_amount, is_marked_for_refund
  from read.withdraw_order where ${WITHDRAWAL_WAITS}`
