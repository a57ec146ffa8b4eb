import type { Sql } from 'postgres'
import { type Build, readBuildProgress } from '../../db/indexBuilds.ts'
import type { IndexerState } from '../metrics/indexerMetrics.ts'
import type { PonderLine } from './askForPonder.ts'

type Indexer = {
  sql: Sql
  lines: Map<number, PonderLine>
  build: Build
  /** Whether another indexer holds the lock of the build. */
  isWaiting: boolean
}

/** How far an indexer is with its build. */
export async function readIndexerState(indexer: Indexer): Promise<IndexerState> {
  const { sql, lines, build, isWaiting } = indexer
  const { postgresSchema, chainIds } = build
  const [row] = await sql<{ state: 'building' | 'served' | 'failed' | 'retired' }[]>`
    select state from app.index_build where postgres_schema = ${postgresSchema} limit 1`
  const progress = await readBuildProgress(sql, build)
  return {
    build: postgresSchema,
    state: isWaiting || !row ? 'waiting' : row.state,
    chains: chainIds.map((chainId) => {
      const found = progress.find((candidate) => candidate.chainId === chainId)
      const tip = lines.get(chainId)?.follower.tip()
      const head = tip ? BigInt(tip.number) : null
      const at = readCheckpoint(found?.checkpoint ?? null)
      const block = found?.blockNumber ?? at?.block ?? null
      return { chainId, head, block, lagSeconds: lagOf({ head, block, timestamp: at?.timestamp }) }
    }),
  }
}

type Place = { head: bigint | null; block: bigint | null; timestamp: number | undefined }

function lagOf({ head, block, timestamp }: Place): number | null {
  if (head !== null && block !== null && block >= head) return 0
  return timestamp === undefined ? null : Math.max(0, Math.floor(Date.now() / 1_000) - timestamp)
}

/** Ponder's checkpoint begins with 10 digits of Unix seconds, 16 of the chain and 16 of the block. */
function readCheckpoint(checkpoint: string | null) {
  if (checkpoint === null) return null
  const timestamp = Number(checkpoint.slice(0, 10))
  return timestamp > 0 ? { timestamp, block: BigInt(checkpoint.slice(26, 42)) } : null
}
