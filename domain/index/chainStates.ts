import type { SharedServices } from '../context.ts'
import { type IndexProgress, isBehind } from './indexProgress.ts'

/** The state of one chain's index, compared with its nodes. Timestamps are Unix seconds. */
export type ChainState = {
  chainId: number
  block: { number: bigint; timestamp: number } | null
  head: bigint | null
  finalized: bigint | null
  /** Seconds that the index is behind the node: 0 at the node's head, null when either is unknown. */
  lagSeconds: number | null
  /** The age of what the index lacks: `lagSeconds`, or, while no node answers, all since the indexed block. */
  missingSeconds: number | null
  /** Whether the index may serve answers, and lacks at most the last minute of the chain. */
  isSynced: boolean
  /** False while the indexer restarts, and for a build that must not be served. */
  isReady: boolean
}

/** A dead indexer falls behind by this within a minute. A living one is behind by a few blocks at most. */
const SYNCED_SECONDS = 60

/** A chain's newest block by its nodes; null if they do not answer. */
type HeadOf = (chainId: number) => Promise<bigint | null>

/** The state of every indexed chain, in the address book's order. Chains without a build have no block. */
export async function listChainStates(
  context: Pick<SharedServices, 'sql' | 'chains'>,
  chainIds: number[],
  headOf: HeadOf = (chainId) => context.chains.head(chainId).catch(() => null),
): Promise<ChainState[]> {
  const rows = await context.sql<{ progress: IndexProgress[] }[]>`
    select coalesce(json_agg(c), '[]') as progress from read.chain_progress c`
  const progress = rows[0]?.progress ?? []
  return Promise.all(
    chainIds.map((chainId) =>
      chainState(
        headOf,
        chainId,
        progress.find(({ chain_id }) => chain_id === chainId),
      ),
    ),
  )
}

async function chainState(
  headOf: HeadOf,
  chainId: number,
  row: IndexProgress | undefined,
): Promise<ChainState> {
  const head = await headOf(chainId)
  if (!row || row.block_number === null || row.block_timestamp === null)
    return {
      chainId,
      block: null,
      head,
      finalized: null,
      lagSeconds: null,
      missingSeconds: null,
      isSynced: false,
      isReady: false,
    }
  const block = { number: BigInt(row.block_number), timestamp: row.block_timestamp }
  const lag = head === null ? null : lagSeconds(block, head)
  const missingSeconds = lag ?? ageOf(block)
  return {
    chainId,
    block,
    head,
    finalized: row.finalized_block === null ? null : BigInt(row.finalized_block),
    lagSeconds: lag,
    missingSeconds,
    isSynced: !isBehind(row) && missingSeconds <= SYNCED_SECONDS,
    isReady: row.is_ready,
  }
}

function lagSeconds(block: { number: bigint; timestamp: number }, head: bigint): number {
  return block.number >= head ? 0 : ageOf(block)
}

function ageOf({ timestamp }: { timestamp: number }): number {
  return Math.max(0, Math.floor(Date.now() / 1_000) - timestamp)
}
