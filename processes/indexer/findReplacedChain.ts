import type { Sql } from 'postgres'
import { readFinalHead } from '../../db/indexBuilds.ts'
import type { PonderLine } from './askForPonder.ts'
import { parseHeader } from './judgeResult.ts'

/** A chain of which a block that this index took for final is another one now. */
export type ReplacedChain = { chainId: number; block: bigint }

/**
 * Looks for a chain that was reorganised below its final blocks while nobody indexed it; Ponder, which
 * remembers no hash, would go on as if nothing were. A node that does not answer says nothing.
 */
export async function findReplacedChain(
  sql: Sql,
  postgresSchema: string,
  lines: Map<number, PonderLine>,
): Promise<ReplacedChain | null> {
  for (const [chainId, { upstream }] of lines) {
    const head = await readFinalHead(sql, postgresSchema, chainId)
    if (!head) continue
    const params = [`0x${head.number.toString(16)}`, false]
    const answers = await Promise.all(
      upstream.nodes.map((node) =>
        node.ask({ method: 'eth_getBlockByNumber', params }).catch(() => null),
      ),
    )
    const hashes = answers
      .map((answer) => (answer?.kind === 'good' ? parseHeader(answer.result)?.hash : undefined))
      .filter((hash) => hash !== undefined)
    if (hashes.length > 0 && !hashes.some((hash) => hash === head.hash))
      return { chainId, block: head.number }
  }
  return null
}
