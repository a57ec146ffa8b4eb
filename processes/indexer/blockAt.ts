import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import { parseHeader } from '../../domain/chain/judgeResult.ts'
import type { RpcNode } from '../../domain/chain/rpcNode.ts'

/** A node's block of that number, in 0x-hex; null where it has none. Throws as `RpcNode.ask` does. */
export async function blockAt(
  node: RpcNode,
  block: 'latest' | `0x${string}`,
): Promise<BlockHeader | null> {
  const answer = await node.ask({ method: 'eth_getBlockByNumber', params: [block, false] })
  return answer.kind === 'good' ? parseHeader(answer.result) : null
}
