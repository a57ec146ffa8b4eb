/** Every type of event. */
export const EVENT_TYPES = [
  'smart_deposit.deposit.pending',
  'smart_deposit.deposit.confirmed',
  'smart_deposit.deposit.finalized',
  'smart_deposit.deposit.failed',
  'smart_deposit.deposit.reverted',
  'transit.order.submitted',
  'transit.order.received',
  'transit.order.executed',
  'transit.order.processed',
  'transit.order.removed',
  'transit.order.delayed',
  'transit.order.reverted',
  'withdrawal.request.created',
  'withdrawal.request.completed',
  'withdrawal.request.refund_pending',
  'withdrawal.request.refunded',
  'withdrawal.request.reverted',
  'withdrawal.queue.blocked',
  'vault.paused',
  'vault.unpaused',
  'vault.rate_updated',
  'vault.cap_changed',
  'vault.reverted',
  'ping',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
