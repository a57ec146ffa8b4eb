import { ServiceError } from '../error/serviceError.ts'

/** `WEBHOOK_DELIVERY_NOT_FOUND`. */
export function deliveryNotFound(): ServiceError {
  return new ServiceError(
    'WEBHOOK_DELIVERY_NOT_FOUND',
    'The webhook endpoint has no delivery of an event with this id.',
  )
}
