/** Every type of event. */
export const EVENT_TYPES = [
  'smart_deposit.deposit.pending',
  'smart_deposit.deposit.converting',
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
  'endpoint.failing',
  'endpoint.disabled',
  'ping',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The types of the first event of a resource: once it is taken back, the resource has no more events. */
export const FIRST_TYPES = [
  'transit.order.submitted',
  'withdrawal.request.created',
] as const satisfies readonly EventType[]

/** The types of the last event of a resource. */
export const LAST_TYPES = [
  'transit.order.processed',
  'transit.order.removed',
  'withdrawal.request.completed',
  'withdrawal.request.refunded',
] as const satisfies readonly EventType[]
