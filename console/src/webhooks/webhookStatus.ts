import type { components } from '@causeway/sdk'
import type { Status } from '../components/Badge.tsx'

export type Endpoint = components['schemas']['WebhookEndpoint']
export type Attempt = components['schemas']['WebhookAttempt']
export type Replay = components['schemas']['WebhookReplay']
export type Delivery = components['schemas']['WebhookDelivery']

const ENDPOINT_STATUS: Record<Endpoint['status'], Status> = {
  ENABLED: { name: 'Enabled', tone: 'good' },
  DISABLED: { name: 'Disabled', tone: 'warn' },
}

export const DELIVERY_STATUS: Record<Delivery['status'], Status> = {
  WAITING: { name: 'Waiting', tone: 'info' },
  DELIVERED: { name: 'Delivered', tone: 'good' },
  DEAD: { name: 'Dead', tone: 'bad' },
}

export const REPLAY_STATUS: Record<Replay['status'], Status> = {
  RUNNING: { name: 'Running', tone: 'info' },
  PAUSED: { name: 'Paused', tone: 'warn' },
  COMPLETED: { name: 'Completed', tone: 'good' },
  CANCELED: { name: 'Canceled', tone: 'warn' },
}

/** An enabled endpoint that accepts nothing is failing. */
export function endpointStatus({ status, isFailing }: Endpoint): Status {
  if (status === 'ENABLED' && isFailing) return { name: 'Failing', tone: 'bad' }
  return ENDPOINT_STATUS[status]
}

/** A delivery that was tried in vain and waits for its next attempt. */
export function deliveryStatus({ status, attempts }: Delivery): Status {
  if (status === 'WAITING' && attempts > 0) return { name: 'Failing', tone: 'warn' }
  return DELIVERY_STATUS[status]
}
