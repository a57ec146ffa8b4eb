import type { ServiceError } from '../../domain/error/serviceError.ts'

/** Seconds for `Retry-After`: every 503 has it, another error only where it sets it. */
export function retryAfterSeconds(error: ServiceError): number | undefined {
  return error.retryAfterSeconds ?? (error.code === 503 ? 1 : undefined)
}
