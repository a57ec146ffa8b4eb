import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

/** Timeout of one server in milliseconds, and queries per server. */
const PATIENCE = { timeout: 2_000, tries: 2 }
/** Always this machine, whatever a server answers (RFC 6761). */
const LOCAL = /^(.+\.)?localhost\.?$/i

/**
 * Every address of a name, by DNS. The system's resolver would use the few threads of the process: names
 * whose servers never answer would block all other names.
 */
export async function resolveByDns(
  hostname: string,
  { servers }: { servers?: readonly string[] } = {},
): Promise<LookupAddress[]> {
  if (LOCAL.test(hostname)) return [{ address: '127.0.0.1', family: 4 }]
  const resolver = new Resolver(PATIENCE)
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
