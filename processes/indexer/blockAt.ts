import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import { parseHeader } from '../../domain/chain/judgeResult.ts'
import type { RpcNode } from '../../domain/chain/rpcNode.ts'

/** A node's block by number (0x-hex), or null if it has none. Throws the errors of `RpcNode.ask`. */
export async function blockAt(
  node: RpcNode,
  block: 'latest' | `0x${string}`,
): Promise<BlockHeader | null> {
  const answer = await node.ask({ method: 'eth_getBlockByNumber', params: [block, false] })
  return answer.kind === 'good' ? parseHeader(answer.result) : null
}
