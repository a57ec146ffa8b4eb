import type { Sql } from 'postgres'

/** One build of one chain, as shown to an operator: `build` is its Postgres schema. */
export type ListedBuild = {
  chain: string
  build: string
  state: string
  block: string | null
  since: Date
  rebuild: string | null
  error: string | null
}

/** Every build that was not dropped, newest first; `block` is the newest indexed block of the served one. */
export function listIndexBuilds(sql: Sql): Promise<ListedBuild[]> {
  return sql<ListedBuild[]>`
    select b.chain_id::text as chain, b.postgres_schema as build, b.state,
      case when b.state = 'served' then p.block_number::text end as block,
      b.created_at as since,
      case when r.ordered_at > b.created_at then r.reason end as rebuild,
      split_part(b.error, E'\\n', 1) as error
    from read.chain_progress p
    right join app.index_build b using (chain_id)
    left join app.index_rebuild r using (chain_id)
    order by b.chain_id, b.created_at desc`
}
