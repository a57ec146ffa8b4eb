import { z } from 'zod'

export type JsonRpcRequest = { method: string; params?: unknown }

/** A block header in a node's JSON, with any fields that its chain adds. */
export type BlockHeader = {
  hash: `0x${string}`
  parentHash: `0x${string}`
  number: `0x${string}`
  timestamp: `0x${string}`
  logsBloom: `0x${string}`
} & Record<string, unknown>

/** `absent`: well-formed, but the node does not have the requested data (yet, or any more). */
export type Judgement = 'good' | 'absent' | 'garbage'

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])
const quantity = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{1,16}$/)])
/** 256 bits. */
const wideQuantity = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{1,64}$/)])
// The length is checked apart: a pattern of digit pairs takes ten times as long, and answers have
// hundreds of kilobytes.
const bytes = z
  .templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/)])
  .refine(({ length }) => length % 2 === 0)
const header = z.looseObject({
  hash,
  parentHash: hash,
  number: quantity,
  timestamp: quantity,
  logsBloom: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/)]),
})
// The fields that name a log. Some nodes leave one of them out, or null.
const logs = z.array(
  z.looseObject({
    blockHash: hash,
    blockNumber: quantity,
    transactionHash: hash,
    logIndex: quantity,
  }),
)
const receipt = z.looseObject({
  transactionHash: hash,
  // Null while no block has the transaction: some nodes answer with a receipt all the same.
  blockHash: hash.nullable(),
  logs: z.array(z.unknown()),
})
const filter = z.union([
  z.looseObject({ blockHash: hash }),
  z.looseObject({ fromBlock: quantity, toBlock: quantity }),
])

/** The header in a result or in a subscription's message; null for anything else. */
export function parseHeader(value: unknown): BlockHeader | null {
  return header.safeParse(value).data ?? null
}

/** Whether a node's result has the form that its method requires; results of unknown methods pass. */
export function judgeResult({ method, params }: JsonRpcRequest, result: unknown): Judgement {
  const [first] = Array.isArray(params) ? params : []
  switch (method) {
    case 'eth_chainId':
    case 'eth_blockNumber':
    case 'eth_gasPrice':
      return quantity.safeParse(result).success ? 'good' : 'garbage'
    case 'eth_call':
    case 'eth_getCode':
    case 'eth_getStorageAt':
      return bytes.safeParse(result).success ? 'good' : 'garbage'
    case 'eth_getBlockByNumber':
      return judgeBlock(result, ({ number }) => !isHex(first) || BigInt(number) === BigInt(first))
    case 'eth_getBlockByHash':
      return judgeBlock(result, (block) => block.hash === first)
    case 'eth_getLogs':
      return judgeLogs(result, first)
    case 'eth_getBalance':
    case 'eth_getTransactionCount':
    case 'eth_estimateGas':
    case 'eth_maxPriorityFeePerGas':
      return wideQuantity.safeParse(result).success ? 'good' : 'garbage'
    case 'eth_sendRawTransaction':
      return hash.safeParse(result).success ? 'good' : 'garbage'
    // A transaction that waits may be known to one node only.
    case 'eth_getTransactionByHash':
      return result === null ? 'absent' : 'good'
    case 'eth_getTransactionReceipt':
      return result === null ? 'absent' : judgeReceipt(result, first)
    default:
      return 'good'
  }
}

function judgeBlock(result: unknown, isAsked: (block: BlockHeader) => boolean): Judgement {
  if (result === null) return 'absent'
  const block = parseHeader(result)
  return block && isAsked(block) ? 'good' : 'garbage'
}

function judgeReceipt(result: unknown, asked: unknown): Judgement {
  const { data } = receipt.safeParse(result)
  if (!data || data.transactionHash !== String(asked).toLowerCase()) return 'garbage'
  return data.blockHash === null ? 'absent' : 'good'
}

function judgeLogs(result: unknown, asked: unknown): Judgement {
  const parsed = logs.safeParse(result)
  if (!parsed.success) return 'garbage'
  const { data: bounds } = filter.safeParse(asked)
  if (!bounds) return 'good'
  const isWithin = parsed.data.every(({ blockHash, blockNumber }) =>
    'blockHash' in bounds
      ? blockHash === bounds.blockHash
      : BigInt(blockNumber) >= BigInt(String(bounds.fromBlock)) &&
        BigInt(blockNumber) <= BigInt(String(bounds.toBlock)),
  )
  return isWithin ? 'good' : 'garbage'
}

/** Whether a value of JSON-RPC is a number or bytes. */
export function isHex(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && value.startsWith('0x')
}
