import type { Sql } from 'postgres'
import { doubtChain } from '../../db/indexRebuilds.ts'
import { type FinalBlock, readFinalBlocks } from '../../db/ponderTables.ts'
import type { RpcNode } from '../../domain/chain/rpcNode.ts'
import { pause } from '../../domain/loop/pause.ts'
import type { Logger } from '../logger.ts'
import type { PonderLine } from './askForPonder.ts'
import { blockAt } from './blockAt.ts'

/** A chain that now has another block where this index has a final one. */
export type ReplacedChain = { chainId: number; block: bigint }

const LOOK_MS = 2_000

/**
 * Like `findReplacedChain`, but the nodes are believed after `patienceMs`, and after more than one look. Meanwhile the chain is not answered, and a node
 * that served other blocks may come to itself. Resolves to null also after `signal`.
 */
export async function confirmReplacedChain(
  sql: Sql,
  postgresSchema: string,
  {
    lines,
    patienceMs,
    logger,
    signal,
  }: { lines: Map<number, PonderLine>; patienceMs: number; logger: Logger; signal: AbortSignal },
): Promise<ReplacedChain | null> {
  const since = Date.now()
  let doubted: ReplacedChain | null = null
  for (;;) {
    const replaced = await findReplacedChain(sql, postgresSchema, lines)
    if (doubted && doubted.chainId !== replaced?.chainId)
      await doubtChain(sql, { postgresSchema, chainId: doubted.chainId, isInDoubt: false })
    if (!replaced || signal.aborted) return null
    if (doubted && Date.now() - since >= patienceMs) return replaced
    if (!doubted)
      logger.error(
        { chainId: replaced.chainId, block: Number(replaced.block) },
        'the nodes of the chain contradict a final block',
      )
    await doubtChain(sql, { postgresSchema, chainId: replaced.chainId, isInDoubt: true })
    doubted = replaced
    await pause(LOOK_MS, signal)
  }
}

/**
 * Finds a chain that was reorganised below its final blocks while no indexer ran. Ponder keeps no hashes
 * and would not notice. Nodes without the block are not counted.
 */
async function findReplacedChain(
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
