import type { RequestContext, ServiceContext } from '../context.ts'
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
  context: RequestContext,
  progress: IndexProgress[],
  chainIds: Iterable<number>,
) {
  for (const chainId of chainIds) {
    const row = progress.find(({ chain_id }) => chain_id === chainId)
    if (!row || row.block_number === null || (await isBehind(context, row)))
      throw indexCatchingUp(chainId)
    if (row.high_water === null || row.block_number > row.high_water)
      await context.highWater.raise(chainId, row.block_number)
    const block = BigInt(row.block_number)
    const noted = context.freshness.get(chainId)
    // Several statements may feed one answer: it is as old as its oldest part.
    if (noted === undefined || block < noted) context.freshness.set(chainId, block)
  }
}

/** Whether a chain's index may be answered from: ready, and not below what has been shown. */
export async function isBehind(
  context: Pick<ServiceContext, 'chains'>,
  row: IndexProgress,
): Promise<boolean> {
  if (!row.is_ready || row.block_number === null) return true
  if (row.high_water === null || row.block_number >= row.high_water) return false
  // A chain may truly have become shorter; then its head, not the mark, is the measure.
  const head = await context.chains.head(row.chain_id).catch(() => null)
  return head === null || BigInt(row.block_number) < head
}

function indexCatchingUp(chainId: number): ServiceError {
  return new ServiceError(
    'INDEX_CATCHING_UP',
    `The index of chain ${chainId} is catching up; ask again in a moment`,
    { metadata: { chainId: String(chainId) }, retryAfterSeconds: 1 },
  )
}
