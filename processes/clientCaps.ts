import type { z } from 'zod'
import type { ClientCaps } from '../api/limits/clientCaps.ts'
import type { apiVariables } from './environment.ts'

type Variables = Pick<
  z.output<typeof apiVariables>,
  | 'RATE_LIMITS'
  | 'MAX_CONNECTIONS'
  | 'MAX_CONNECTIONS_PER_ADDRESS'
  | 'MAX_CONNECTIONS_PER_KEY'
  | 'MAX_HELD_PER_ADDRESS'
  | 'MAX_HELD_PER_KEY'
>

/** An address or a key gets a quarter of the connections at most, even if a variable allows more. */
const MOST_SHARE = 4

/** The connections and held requests of one client at a process; null where a gateway limits clients. */
export function clientCaps(environment: Variables): ClientCaps | null {
  if (environment.RATE_LIMITS === 'off') return null
  const most = Math.floor(environment.MAX_CONNECTIONS / MOST_SHARE)
  return {
    connectionsPerAddress: Math.min(environment.MAX_CONNECTIONS_PER_ADDRESS, most),
    connectionsPerKey: Math.min(environment.MAX_CONNECTIONS_PER_KEY, most),
    heldPerAddress: environment.MAX_HELD_PER_ADDRESS,
    heldPerKey: environment.MAX_HELD_PER_KEY,
  }
}
