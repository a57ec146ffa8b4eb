import { ServiceError } from '../../domain/error/serviceError.ts'
import { WINDOW_SECONDS } from '../../domain/limits/rateLimits.ts'

/** The only 429. `seconds` are those until the quota is full again. */
export function rateLimited(
  message: string,
  { limitClass, limit, seconds }: { limitClass: string; limit: number; seconds: number },
): ServiceError {
  return new ServiceError('RATE_LIMITED', `${message} Retry after ${seconds} s.`, {
    metadata: { class: limitClass, limit: String(limit), windowSeconds: String(WINDOW_SECONDS) },
    retryAfterSeconds: seconds,
  })
}
