import type { Sql } from 'postgres'

/** One indexing of a chain: `name` is its Postgres schema. */
export type ChainBuild = {
  name: string
  state: string
  since: Date
  error: string | null
  /** Why the indexer cannot read the chain's blocks, while it cannot. */
  refusal: string | null
}

/** The build of a chain that is served, and the one that will replace it. */
export type ChainBuilds = {
  chainId: number
  served: ChainBuild | null
  /** The newest build, if it is not the served one. */
  next: ChainBuild | null
  /** Why an operator ordered the chain to be indexed again; null once that build is served. */
  rebuildReason: string | null
}

type Row = ChainBuild & { chainId: number; rebuildReason: string | null }

/** The builds of every chain, without those that were replaced. */
export async function listChainBuilds(sql: Sql): Promise<ChainBuilds[]> {
  const rows = await sql<Row[]>`
    select b.chain_id as "chainId", b.postgres_schema as name, b.state, b.created_at as since,
      b.error, b.refusal, case when r.ordered_at > b.created_at then r.reason end as "rebuildReason"
    from app.index_build b left join app.index_rebuild r using (chain_id)
    where b.state <> 'retired'
    order by b.created_at desc`
  return [...Map.groupBy(rows, ({ chainId }) => chainId)].map(([chainId, builds]) => {
    const [newest] = builds
    const served = builds.find(({ state }) => state === 'served')
    return {
      chainId,
      served: served ? toBuild(served) : null,
      next: newest && newest !== served ? toBuild(newest) : null,
      rebuildReason: (served ?? newest)?.rebuildReason ?? null,
    }
  })
}

function toBuild({ name, state, since, error, refusal }: Row): ChainBuild {
  return { name, state, since, error, refusal }
}
