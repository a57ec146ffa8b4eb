import { ServiceError } from '../error/serviceError.ts'
import type { HighWater } from './highWater.ts'

/** One chain's row of `read.chain_progress`, in the form of json_agg. */
export type IndexProgress = {
  /** The build that is served. */
  build: number
  chain_id: number
  block_number: number | null
  block_hash: string | null
  block_timestamp: number | null
  finalized_block: number | null
  is_ready: boolean
  /** The newest block from which any api has answered; null before the first answer. */
  high_water: number | null
  /** The hash of the last block that can have changed a row of the chain. */
  last_change_hash: string | null
}

/** Where an answer's blocks are noted: `freshness` of the request, the mark of all apis. */
type AnswerMarks = { highWater: Pick<HighWater, 'raise'>; freshness: Map<number, bigint> }

/**
 * Refuses an answer if one of its chains is behind the high-water mark. Otherwise it raises the mark and
 * records the blocks of the answer. `progress` must come from the same statement as the data. Throws
 * `INDEX_CATCHING_UP`.
 */
export async function admitAnswer(
  { highWater, freshness }: AnswerMarks,
  progress: IndexProgress[],
  chainIds: Iterable<number>,
) {
  for (const chainId of chainIds) {
    const row = progress.find(({ chain_id }) => chain_id === chainId)
    if (!row || row.block_number === null || isBehind(row)) throw indexCatchingUp(chainId)
    if (row.high_water === null || row.block_number > row.high_water)
      await highWater.raise(chainId, row.block_number)
    const block = BigInt(row.block_number)
    const noted = freshness.get(chainId)
    // Several statements may feed one answer: it is as old as the oldest of them.
    if (noted === undefined || block < noted) freshness.set(chainId, block)
  }
}

/**
 * Whether a chain's index must not serve answers: it is not ready, or below the high-water mark. If the
 * chain really became shorter, its indexer has lowered the mark.
 */
export function isBehind({ is_ready, block_number, high_water }: IndexProgress): boolean {
  return !is_ready || block_number === null || block_number < (high_water ?? 0)
}

/** The newest finalized block of a chain; null for a chain that is not indexed. */
export function finalizedBlock(progress: IndexProgress[], chainId: number): bigint | null {
  const block = progress.find(({ chain_id }) => chain_id === chainId)?.finalized_block ?? null
  return block === null ? null : BigInt(block)
}

function indexCatchingUp(chainId: number): ServiceError {
  return new ServiceError(
    'INDEX_CATCHING_UP',
    `The index of chain ${chainId} is catching up; ask again in a moment`,
    { metadata: { chainId: String(chainId) }, retryAfterSeconds: 1 },
  )
}
