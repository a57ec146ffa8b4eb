import type { ChainNodes } from './chainNodes.ts'

/** A log in a node's JSON. */
export type NodeLog = {
  blockHash: string
  blockNumber: string
  transactionHash: string
  logIndex: string
  address: string
  topics: readonly string[]
  data: string
}

/**
 * Transactions whose receipts are read. If nodes differ about more of them, one lacks old logs as a whole: what it leaves out
 * says nothing.
 */
const MOST_CHECKED = 200
const AT_ONCE = 16

/**
 * The logs that any of the lists has, in the order of the chain. Where lists differ, the receipt of the transaction decides: a
 * node may leave a log out, and another may show one at a wrong place or of a replaced block. Without a receipt all are taken.
 */
export async function uniteLogs(
  nodes: ChainNodes,
  lists: readonly NodeLog[][],
): Promise<NodeLog[]> {
  const shown = new Map<string, { log: NodeLog; times: number }>()
  for (const log of lists.flat()) {
    const name = contentOf(log)
    shown.set(name, { log, times: (shown.get(name)?.times ?? 0) + 1 })
  }
  const disputed = [...shown.values()].filter(({ times }) => times < lists.length)
  const groups = [...Map.groupBy(disputed, ({ log }) => log.transactionHash).keys()]
  if (groups.length <= MOST_CHECKED)
    for (let start = 0; start < groups.length; start += AT_ONCE)
      await Promise.all(groups.slice(start, start + AT_ONCE).map(judgeTransaction))

  async function judgeTransaction(hash: string) {
    const receipt = await readReceiptLogs(nodes, hash)
    if (receipt === null) return
    const there = new Set(receipt.map(contentOf))
    for (const { log } of disputed)
      if (log.transactionHash === hash && !there.has(contentOf(log))) shown.delete(contentOf(log))
  }

  return [...shown.values()]
    .map(({ log }) => log)
    .toSorted(
      (a, b) =>
        Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex),
    )
}

/** Everything that an index takes from a log. */
function contentOf({ blockHash, transactionHash, logIndex, address, topics, data }: NodeLog) {
  return [blockHash, transactionHash, logIndex, address, ...topics, data].join(' ').toLowerCase()
}

/** The logs of a transaction's receipt; null if no node has one. */
async function readReceiptLogs(nodes: ChainNodes, hash: string): Promise<NodeLog[] | null> {
  const response = await nodes
    .request({ method: 'eth_getTransactionReceipt', params: [hash] })
    .catch(() => null)
  if (!response || !('result' in response)) return null
  const receipt = response.result as { logs?: NodeLog[] } | null
  return receipt?.logs ?? null
}
