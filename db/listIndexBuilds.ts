import type { Sql } from 'postgres'

/** One build of one chain, as an operator looks at it: `build` is its Postgres schema. */
export type ListedBuild = {
  chain: string
  build: string
  state: string
  block: string | null
  since: Date
  rebuild: string | null
  error: string | null
}

/** Every build that there still is, newest first; `block` is where the one that is read stands. */
export function listIndexBuilds(sql: Sql): Promise<ListedBuild[]> {
  return sql.begin('isolation level repeatable read read only', async (read) => {
    const [made] = await read<{ exists: boolean }[]>`
      select to_regclass('read.chain_progress') is not null as exists`
    const progress = made?.exists
      ? read`select chain_id, block_number from read.chain_progress`
      : read`select null::integer as chain_id, null::bigint as block_number where false`
    return read<ListedBuild[]>`
      select b.chain_id::text as chain, b.postgres_schema as build, b.state,
        case when b.state = 'served' then p.block_number::text end as block,
        b.created_at as since,
        case when r.ordered_at > b.created_at then r.reason end as rebuild, b.error
      from app.index_build b
      left join app.index_rebuild r using (chain_id)
      left join (${progress}) p using (chain_id)
      order by b.chain_id, b.created_at desc`
  })
}
