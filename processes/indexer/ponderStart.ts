import type { Hex } from 'viem'
import { type JsonRpcResponse, rangeOfLogs } from '../../domain/chain/jsonRpc.ts'
import type { BlockHeader, JsonRpcRequest } from '../../domain/chain/judgeResult.ts'

export type Stuck = 'refused' | 'silent'

/** What Ponder asks about one chain from its start until it waits for heads. */
export type PonderStart = {
  isHeld: boolean
  /** The answer that a held chain needs no node for; null for any other request. */
  answer(request: JsonRpcRequest): JsonRpcResponse | null
  /** Notes a request, and then whether it was answered. */
  note(request: JsonRpcRequest): void
  noteAnswer(isAnswered: boolean): void
  /** Why Ponder does not get on: it asks for the same logs again and again, or is not answered. Null if it does. */
  stuck(): Stuck | null
}

/** Ponder asks twice for logs that it refused within 0.4 seconds, and four times within a second. */
const MOST_ASKED = 4
const MOST_REMEMBERED = 1_000
const SILENT_MS = 10_000

/**
 * `held` is the final block up to which Ponder has read the chain. A start that gets this block for the final one needs nothing
 * else: what is older is in Ponder's cache, and what is newer is read with the heads.
 */
export function createPonderStart(
  chainId: number,
  held: BlockHeader | null,
  finalityBlocks: number,
): PonderStart {
  const asked = new Map<string, number>()
  let isRefused = false
  let silentSince: number | null = null
  return {
    isHeld: held !== null,
    answer({ method, params }) {
      const [block, isFull] = Array.isArray(params) ? params : []
      if (held && method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` }
      if (!held || method !== 'eth_getBlockByNumber' || isFull !== false) return null
      const final = Number(held.number)
      // Of all other blocks Ponder needs the number alone.
      const number = block === 'latest' ? final + finalityBlocks : Math.min(Number(block), final)
      return { result: { ...held, number: `0x${number.toString(16)}` } }
    },
    note(request) {
      if (!rangeOfLogs(request)) return
      if (asked.size >= MOST_REMEMBERED) asked.clear()
      const key = JSON.stringify(request.params)
      const times = (asked.get(key) ?? 0) + 1
      asked.set(key, times)
      if (times >= MOST_ASKED) isRefused = true
    },
    noteAnswer(isAnswered) {
      silentSince = isAnswered ? null : (silentSince ?? Date.now())
    },
    stuck() {
      if (isRefused) return 'refused'
      return silentSince !== null && Date.now() - silentSince > SILENT_MS ? 'silent' : null
    },
  }
}

type KnownBlock = { number: bigint; hash: Hex; timestamp: bigint }

/** How many blocks below the head Ponder takes a block for final. */
export async function finalityBlocks(chainId: number): Promise<number> {
  const { getFinalityBlockCount } = await import(
    new URL('./utils/finality.js', import.meta.resolve('ponder')).href
  )
  return getFinalityBlockCount({ chain: { id: chainId } })
}

/** The header of a block, with what a start of Ponder needs of it. */
export function headerOf({ number, hash, timestamp }: KnownBlock): BlockHeader {
  return {
    number: `0x${number.toString(16)}`,
    hash,
    timestamp: `0x${timestamp.toString(16)}`,
    parentHash: `0x${'0'.repeat(64)}`,
    logsBloom: `0x${'0'.repeat(512)}`,
  }
}
