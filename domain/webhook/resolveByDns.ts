import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 2_000
const TRIES = 2
/** Always this machine, whatever a server answers (RFC 6761). */
const LOCAL = /^(.+\.)?localhost\.?$/i

type ResolveOptions = {
  /** Default: the system's. */
  servers?: readonly string[]
  /** For the first query to a server; the second may take longer. */
  timeoutMs?: number
}

/**
 * Every address of a name, by DNS. The system's resolver would use the few threads of the process: names
 * whose servers never answer would block all other names.
 */
export async function resolveByDns(
  hostname: string,
  { servers, timeoutMs = TIMEOUT_MS }: ResolveOptions = {},
): Promise<LookupAddress[]> {
  if (LOCAL.test(hostname)) return [{ address: '127.0.0.1', family: 4 }]
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  )
  const [failed] = answers
  if (found.length === 0 && failed.status === 'rejected') throw failed.reason
  return found
}
