import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import type { RpcNode } from '../../domain/chain/rpcNode.ts'
import { blockAt } from './blockAt.ts'

type Opinion = 'for' | 'against' | 'none'

/**
 * Whether a head that contradicts `tip` replaces it: at least one node of the right chain has it, and no
 * node that has reached its number still has `tip`. So a node that lags, is stuck or serves another
 * chain cannot take blocks back. A single node is believed.
 */
export async function isReorgConfirmed(
  nodes: RpcNode[],
  head: BlockHeader,
  tip: BlockHeader,
): Promise<boolean> {
  const opinions = await Promise.all(
    nodes.map((node): Promise<Opinion> => opinionOf(node, head, tip).catch(() => 'none')),
  )
  return opinions.includes('for') && !opinions.includes('against')
}

async function opinionOf(node: RpcNode, head: BlockHeader, tip: BlockHeader): Promise<Opinion> {
  await node.verify()
  const latest = await blockAt(node, 'latest')
  if (!latest || BigInt(latest.number) < BigInt(head.number)) return 'none'
  const [atHead, atTip] = await Promise.all([blockAt(node, head.number), blockAt(node, tip.number)])
  if (atTip?.hash === tip.hash) return 'against'
  return atHead?.hash === head.hash ? 'for' : 'none'
}

/** Whether a node of the right chain has this block. */
export async function isBlockConfirmed(nodes: RpcNode[], head: BlockHeader): Promise<boolean> {
  const known = await Promise.all(
    nodes
      .map(async (node) => {
        await node.verify()
        return (await blockAt(node, head.number))?.hash === head.hash
      })
      .map((opinion) => opinion.catch(() => false)),
  )
  return known.includes(true)
}
