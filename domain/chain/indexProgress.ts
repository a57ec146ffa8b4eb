import type { SharedContext } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'

/** One chain's row of `read.chain_progress`, as json_agg spells it. */
export type IndexProgress = {
  chain_id: number
  block_number: number | null
  block_timestamp: number | null
  finalized_block: number | null
  is_ready: boolean
  /** The newest block any api has answered from; null before the first answer. */
  high_water: number | null
}

/**
 * Lets an answer out only if none of its chains is behind what has been served before, moves the
 * high-water mark up to it, and notes the blocks it stands on. `progress` must come from the same
 * statement as the data. Throws `INDEX_CATCHING_UP`.
 */
export async function admitAnswer(
  context: SharedContext,
  progress: IndexProgress[],
  chainIds: Iterable<number>,
) {
  for (const chainId of chainIds) {
    const row = progress.find(({ chain_id }) => chain_id === chainId)
    if (!row || row.block_number === null || isBehind(row)) throw indexCatchingUp(chainId)
    if (row.high_water === null || row.block_number > row.high_water)
      await context.highWater.raise(chainId, row.block_number)
    const block = BigInt(row.block_number)
    const noted = context.freshness.get(chainId)
    // Several statements may feed one answer: it is as old as its oldest part.
    if (noted === undefined || block < noted) context.freshness.set(chainId, block)
  }
}

/**
 * Whether a chain's index must not be answered from: not ready, or below what has been shown. A chain
 * that truly became shorter has had its mark lowered by its indexer.
 */
export function isBehind({ is_ready, block_number, high_water }: IndexProgress): boolean {
  return !is_ready || block_number === null || block_number < (high_water ?? 0)
}

function indexCatchingUp(chainId: number): ServiceError {
  return new ServiceError(
    'INDEX_CATCHING_UP',
    `The index of chain ${chainId} is catching up; ask again in a moment`,
    { metadata: { chainId: String(chainId) }, retryAfterSeconds: 1 },
  )
}
