import type { ISql, Sql } from 'postgres'
import { type Build, readBuildProgress } from './indexBuilds.ts'

/** One build of one chain, as shown to an operator. */
export type ListedBuild = {
  chainId: number
  postgresSchema: string
  /** Over the code and the address book that the build is made with. */
  buildHash: string
  state: 'building' | 'served' | 'retired' | 'failed'
  /** The newest indexed block; null before the first. */
  block: bigint | null
  /** Whether its history is indexed. */
  isReady: boolean
  createdAt: Date
  /** Null if it was never served. */
  servedAt: Date | null
  /** The reason of an ordered rebuild that has not replaced it yet. */
  rebuildReason: string | null
  /** The first line of the last error. */
  error: string | null
}

type BuildRow = Omit<ListedBuild, 'block' | 'isReady'>

/** Every build that was not dropped; per chain, the newest first. */
export async function listIndexBuilds(sql: Sql): Promise<ListedBuild[]> {
  const rows = await sql<BuildRow[]>`
    select b.chain_id as "chainId", b.postgres_schema as "postgresSchema",
      b.build_hash as "buildHash", b.state, b.created_at as "createdAt",
      b.served_at as "servedAt",
      case when r.ordered_at > b.created_at then r.reason end as "rebuildReason",
      split_part(b.error, E'\\n', 1) as error
    from app.index_build b left join app.index_rebuild r using (chain_id)
    order by b.chain_id, b.created_at desc`
  const bySchema = Map.groupBy(rows, ({ postgresSchema }) => postgresSchema)
  const progress = await Promise.all(
    [...bySchema.values()].map((builds) => progressOf(sql, builds)),
  )
  const all = new Map(progress.flat())
  return rows.map((row) => ({ ...row, ...(all.get(nameOf(row)) ?? NO_PROGRESS) }))
}

type Progress = Pick<ListedBuild, 'block' | 'isReady'>
const NO_PROGRESS: Progress = { block: null, isReady: false }

function nameOf({ postgresSchema, chainId }: Pick<BuildRow, 'postgresSchema' | 'chainId'>) {
  return `${postgresSchema}:${chainId}`
}

/** The progress of the chains of one build, by name. */
async function progressOf(sql: ISql, builds: BuildRow[]): Promise<(readonly [string, Progress])[]> {
  const [first] = builds
  if (!first) return []
  const { postgresSchema, buildHash } = first
  const build: Build = { postgresSchema, buildHash, chainIds: builds.map(({ chainId }) => chainId) }
  const chains = await readBuildProgress(sql, build).catch((error) => {
    // The build was dropped since it was listed.
    if (error instanceof Error && 'code' in error && error.code === '42P01') return []
    throw error
  })
  return chains.map(({ chainId, blockNumber, checkpoint, isReady }) => [
    nameOf({ postgresSchema, chainId }),
    { block: blockNumber ?? blockOf(checkpoint), isReady },
  ])
}

/** The block of Ponder's checkpoint, during the backfill; null for the first checkpoint. */
function blockOf(checkpoint: string | null): bigint | null {
  const block = checkpoint ? BigInt(checkpoint.slice(26, 42)) : 0n
  return block === 0n ? null : block
}
