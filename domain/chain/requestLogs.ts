import { type ChainNodes, NodesUnavailableError } from './chainNodes.ts'
import { type BlockRange, inParts } from './inParts.ts'
import type { JsonRpcError, JsonRpcResponse } from './jsonRpc.ts'

class RefusedLogs extends Error {
  readonly refusal: JsonRpcError
  constructor(refusal: JsonRpcError) {
    super(refusal.message)
    this.refusal = refusal
  }
}

const INVALID_PARAMS = -32602
const HEAD_TIMEOUT_MS = 2_000

/**
 * The logs of a range of blocks, which may be wider than the nodes allow, for a filter without blocks. After `deadline`
 * (ms) it answers with an error that names a range which fits. Throws `NodesUnavailableError`.
 */
export async function requestLogs(
  nodes: ChainNodes,
  filter: object,
  range: BlockRange,
  deadline = Infinity,
): Promise<JsonRpcResponse> {
  async function read(next: () => BlockRange): Promise<unknown[]> {
    const part = next()
    if (Date.now() > deadline && part.fromBlock > range.fromBlock)
      throw new RefusedLogs(tooWide({ ...range, toBlock: part.fromBlock - 1n }))
    const response = await nodes.request({
      method: 'eth_getLogs',
      params: [{ ...filter, ...toHex(part) }],
    })
    if ('error' in response) throw new RefusedLogs(response.error)
    return response.result as unknown[]
  }
  try {
    const isRefusal = async (error: unknown) => {
      if (error instanceof RefusedLogs) return Date.now() <= deadline
      if (!(error instanceof NodesUnavailableError)) return false
      // Where no node answers anything, smaller parts would only take longer to fail.
      const head = await nodes.head(HEAD_TIMEOUT_MS).catch(() => null)
      return head !== null && head >= range.toBlock
    }
    return { result: await inParts(range, { most: nodes.mostLogBlocks, read, isRefusal }) }
  } catch (error) {
    if (error instanceof RefusedLogs) return { error: error.refusal }
    throw error
  }
}

/** In the words of a provider, by which Ponder asks for less. */
function tooWide(fitting: BlockRange): JsonRpcError {
  const { fromBlock, toBlock } = toHex(fitting)
  return {
    code: INVALID_PARAMS,
    message: `this block range should work: [${fromBlock}, ${toBlock}]`,
  }
}

function toHex({ fromBlock, toBlock }: BlockRange) {
  return { fromBlock: `0x${fromBlock.toString(16)}`, toBlock: `0x${toBlock.toString(16)}` }
}
