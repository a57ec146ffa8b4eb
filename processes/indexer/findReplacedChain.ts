import type { Sql } from 'postgres'
import { type FinalBlock, readFinalBlocks } from '../../db/ponderTables.ts'
import type { RpcNode } from '../../domain/chain/rpcNode.ts'
import type { PonderLine } from './askForPonder.ts'
import { blockAt } from './blockAt.ts'

/** A chain that now has another block where this index has a final one. */
export type ReplacedChain = { chainId: number; block: bigint }

/**
 * Finds a chain that was reorganised below its final blocks while no indexer ran. Ponder keeps no hashes
 * and would not notice. Nodes without the block are not counted.
 */
export async function findReplacedChain(
  sql: Sql,
  postgresSchema: string,
  lines: Map<number, PonderLine>,
): Promise<ReplacedChain | null> {
  for (const [chainId, { chainNodes }] of lines)
    for (const block of await readFinalBlocks(sql, postgresSchema, chainId)) {
      const opinions = await Promise.all(chainNodes.nodes.map((node) => hasBlock(node, block)))
      if (opinions.includes(false) && !opinions.includes(true))
        return { chainId, block: block.number }
    }
  return null
}

async function hasBlock(node: RpcNode, { number, hash, timestamp }: FinalBlock) {
  const header = await blockAt(node, `0x${number.toString(16)}`).catch(() => null)
  if (!header) return null
  return hash === null ? BigInt(header.timestamp) === timestamp : header.hash === hash
}
