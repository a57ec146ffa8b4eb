import type { ServiceError } from '../../domain/error/serviceError.ts'

/** Seconds for `Retry-After`: every 503 has one, other errors only when they ask for it. */
export function retryAfterSeconds(error: ServiceError): number | undefined {
  return error.retryAfterSeconds ?? (error.code === 503 ? 1 : undefined)
}
