import { within } from '../loop/within.ts'
import type { ChainNodes } from './chainNodes.ts'
import type { BlockRange } from './inParts.ts'
import type { JsonRpcResponse } from './jsonRpc.ts'
import { requestLogs } from './requestLogs.ts'
import { type NodeLog, uniteLogs } from './uniteLogs.ts'

/** After the first answer the others get as much time again, within these bounds: one slow node must not slow each range down. */
const LEAST_WAIT_MS = 250
const MOST_WAIT_MS = 2_000

/**
 * Like `requestLogs`, but with the logs that any node shows, because one may leave some out of an old range. Only for blocks
 * that no reorganisation replaces. A node that is late, fails, or does not give so many blocks at once is not waited for.
 */
export async function requestAllLogs(
  nodes: ChainNodes,
  filter: object,
  range: BlockRange,
  deadline = Infinity,
): Promise<JsonRpcResponse> {
  const blocks = Number(range.toBlock - range.fromBlock) + 1
  const able = nodes
    .each()
    .filter((one) => one.nodes.every((node) => !node.isCooling()) && one.mostLogBlocks() >= blocks)
  if (able.length < 2) return requestLogs(nodes, filter, range, deadline)
  const lists: NodeLog[][] = []
  const begin = Date.now()
  const reads = able.map(async (one) => {
    const response = await requestLogs(one, filter, range, deadline)
    if ('error' in response) throw new Error(response.error.message)
    lists.push(response.result as NodeLog[])
  })
  await Promise.any(reads).catch(() => {
    // Every node failed: there is no list.
  })
  // Several nodes may have the parts that none has alone.
  if (lists.length === 0) return requestLogs(nodes, filter, range, deadline)
  const waitMs = Math.min(Math.max(Date.now() - begin, LEAST_WAIT_MS), MOST_WAIT_MS)
  await within(waitMs, Promise.allSettled(reads))
  // A late list is not waited for.
  return { result: await uniteLogs(nodes, [...lists]) }
}
