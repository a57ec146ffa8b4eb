/** The fields of a log that name it. A wrong answer may lack them. */
type LogName = { blockHash?: unknown; transactionHash?: unknown; logIndex?: unknown } | null

/** A node's list of logs, each of them once: some nodes repeat a log. Anything else is returned as it is. */
export function withoutRepeats(logs: unknown): unknown {
  if (!Array.isArray(logs)) return logs
  const byName = new Map(logs.map((log: LogName) => [nameOf(log), log]))
  return byName.size === logs.length ? logs : [...byName.values()]
}

/** Logs of one index in different transactions are different logs: some chains count anew. */
function nameOf(log: LogName): string {
  return `${log?.blockHash} ${log?.transactionHash} ${log?.logIndex}`
}
