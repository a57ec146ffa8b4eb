import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LimitedNode = {
  rpcUrl: string
  /** The number of blocks of each granted `eth_getLogs`. */
  grantedLogRanges: number[]
  /** The first blocks of the same ranges. */
  firstBlocksOfLogs: number[]
  /** The number of blocks of each `eth_getLogs` that was refused as too wide. */
  refusedLogRanges: number[]
  /** From now on the most blocks of one `eth_getLogs`. */
  allow(logBlocks: number): void
  stop(): Promise<void>
}

type LimitedNodeOptions = {
  rpcUrl: string
  /** The most blocks of one `eth_getLogs`. */
  logBlocks: number
  /** How it refuses more blocks; by default in words that Ponder knows. */
  refusal?: string
  /** The oldest block whose state it has. */
  firstState: number
  /** The most logs of one answer; by default any number. */
  mostLogs?: number
  /** Refuses the code of old blocks as a node under load does, not as one that lacks them. */
  isLoaded?: true
}

type Call = { id: number; method: string; params?: unknown[] }

/** A proxy of a real node with the limits of public nodes: logs of few blocks at once, no old state. */
export async function startLimitedNode(options: LimitedNodeOptions): Promise<LimitedNode> {
  const grantedLogRanges: number[] = []
  const firstBlocksOfLogs: number[] = []
  const refusedLogRanges: number[] = []
  let { logBlocks } = options

  const refusalOfState = options.isLoaded ? 'rate limit exceeded' : 'missing trie node'

  /** Why the node does not answer this, or null. */
  function refusalOf({ method, params: [first, second] = [] }: Call): string | null {
    if (method === 'eth_getCode' && /^0x/.test(String(second)))
      return Number(second) < options.firstState ? refusalOfState : null
    if (method !== 'eth_getLogs') return null
    const { fromBlock, toBlock } = first as Record<'fromBlock' | 'toBlock', string>
    const blocks = Number(toBlock) - Number(fromBlock) + 1
    if (blocks > logBlocks) {
      refusedLogRanges.push(blocks)
      return options.refusal ?? `query exceeds max block range ${logBlocks}`
    }
    grantedLogRanges.push(blocks)
    firstBlocksOfLogs.push(Number(fromBlock))
    return null
  }

  const refused = ({ id }: Call, message: string) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32_000, message },
  })

  async function forwarded(call: Call) {
    const answered = await fetch(options.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    const answer = (await answered.json()) as { result?: { length: number } }
    const { mostLogs = Infinity } = options
    const isTooMuch = call.method === 'eth_getLogs' && (answer.result?.length ?? 0) > mostLogs
    return isTooMuch ? refused(call, `query returned more than ${mostLogs} results`) : answer
  }

  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const call: Call = JSON.parse(Buffer.concat(chunks).toString())
    const refusal = refusalOf(call)
    const answer = refusal ? refused(call, refusal) : await forwarded(call)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    grantedLogRanges,
    firstBlocksOfLogs,
    refusedLogRanges,
    allow(most) {
      logBlocks = most
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
