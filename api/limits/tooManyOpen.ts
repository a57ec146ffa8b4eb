import { ServiceError } from '../../domain/error/serviceError.ts'

/** The refusal of one more than a key or an address may have at once. */
export function tooManyOpen(
  what: 'connections' | 'held' | 'requests',
  limit: number,
  owner: 'key' | 'address',
): ServiceError {
  const named = {
    connections: 'connections',
    held: 'held requests and streams',
    requests: 'requests',
  }
  const whose = owner === 'key' ? 'API key' : 'address'
  return new ServiceError(
    'TOO_MANY_OPEN',
    `Your ${whose} may have ${limit} ${named[what]} at once. End some of them, then retry.`,
    { metadata: { what, limit: String(limit) }, retryAfterSeconds: 1 },
  )
}
