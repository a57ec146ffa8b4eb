import { type Address, numberToHex } from 'viem'
import { z } from 'zod'
import { postJsonRpc } from '../../domain/chain/jsonRpc.ts'

const LIMITS = { timeoutMs: 10_000, maxResponseBytes: 50 * 1024 * 1024 }

/** One call of one node. Throws the node's own words. */
export async function askNode(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await postJsonRpc(url, { method, params }, LIMITS)
  if ('error' in response) throw new Error(response.error.message)
  return response.result
}

const hex = z.templateLiteral(['0x', z.string()])
const blockFormat = z.object({
  number: hex,
  hash: hex,
  parentHash: hex,
  timestamp: hex,
  logsBloom: hex,
})
const logFormat = z.object({
  address: hex,
  topics: z.array(hex),
  data: hex,
  blockNumber: hex,
  blockHash: hex,
  transactionHash: hex,
  logIndex: hex,
})

export type NodeBlock = z.output<typeof blockFormat>
export type NodeLog = z.output<typeof logFormat>

/** A block by its number, its hash or a tag; null if the node has none. */
export async function askBlock(url: string, block: string | number): Promise<NodeBlock | null> {
  const named = typeof block === 'number' ? numberToHex(block) : block
  const method = named.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  return inForm(blockFormat.nullable(), await askNode(url, method, [named, false]))
}

/** A range of logs. Without `address`, those of all contracts. */
type LogRange = { address?: Address[]; from: number; to: number }

export async function askLogs(url: string, range: LogRange): Promise<NodeLog[]> {
  const { address, from, to } = range
  const filter = { address, fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  return inForm(z.array(logFormat), await askNode(url, 'eth_getLogs', [filter]))
}

export async function askReceiptLogs(url: string, hash: string): Promise<NodeLog[] | null> {
  const receipt = await askNode(url, 'eth_getTransactionReceipt', [hash])
  return inForm(z.object({ logs: z.array(logFormat) }).nullable(), receipt)?.logs ?? null
}

function inForm<Value>(format: z.ZodType<Value>, answer: unknown): Value {
  const { success, data } = format.safeParse(answer)
  if (success) return data
  throw new Error('the answer has not the form of its method')
}

/** The same log at any node: its place and its contents. */
export function identityOf(log: NodeLog): string {
  const { blockHash, logIndex, transactionHash, address, topics, data } = log
  return [
    blockHash,
    Number(logIndex),
    transactionHash,
    address.toLowerCase(),
    ...topics,
    data,
  ].join()
}
