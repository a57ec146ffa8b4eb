import { arePlain, type FactBranches } from './factUnionViews.ts'
import type { ServedBuild } from './servedBuild.ts'

/** The part of an address book's chain that the views need to join chains. */
export type ReadChain = { id: number; eid?: number | undefined; finalityDepth: number }

/** `read.chain`: the address book's chains. */
export function chainView(chains: ReadChain[]): string {
  const rows = chains.map(
    ({ id, eid, finalityDepth }) =>
      `(${id}::integer, ${eid ?? 'null'}::bigint, ${finalityDepth}::integer)`,
  )
  return `create view read.chain (chain_id, eid, finality_depth) as values ${rows.join(', ')}`
}

/**
 * `read.chain_progress`: the newest indexed block of each served chain. `is_ready` is false from a
 * restart of the indexer until it writes a new head: until then there may be rows above the head.
 * Ponder restarts from its safe checkpoint, is ready at the end of the backfill, and catches up with
 * the live head through blocks that write no head. A checkpoint has the block number in the sixteen
 * digits from the 27th on. `last_change_hash` is null where the build has none. `postgres_schema` is that of the chain's
 * tables where these are what `read` shows of them (`arePlain`), else null.
 */
export function chainProgressView(builds: ServedBuild[], facts: FactBranches): string {
  const branches = builds.map(
    ({ postgresSchema, chainId }) => `
      select ${chainId}::integer as chain_id,
        ${arePlain(facts, postgresSchema) ? `'${postgresSchema}'` : 'null'}::text as postgres_schema,
        h.block_number, h.block_hash, h.block_timestamp, h.last_change_hash,
        coalesce(
          (m.value->>'is_ready')::integer = 1
            and h.block_number > substr(c.safe_checkpoint, 27, 16)::bigint,
          false
        ) as is_ready
      from (values (${chainId})) v (id)
      left join (${headOf(facts, chainId)}) h on h.chain_id = v.id
      left join ${postgresSchema}._ponder_checkpoint c on c.chain_id = v.id
      left join ${postgresSchema}._ponder_meta m on m.key = 'app'`,
  )
  return `create view read.chain_progress as
    select p.chain_id, p.block_number, p.block_hash, p.block_timestamp, p.is_ready,
      c.finality_depth,
      greatest(p.block_number - c.finality_depth, 0) as finalized_block,
      h.block_number as high_water,
      p.postgres_schema, p.last_change_hash
    from (${branches.join(' union all ')}) p
    join read.chain c using (chain_id)
    left join app.index_high_water h using (chain_id)`
}

function headOf(facts: FactBranches, chainId: number): string {
  const head = facts.get('chain_head')?.find((branch) => branch.chainId === chainId)
  if (!head) throw new Error(`Invariant(chainViews): no build has heads of chain ${chainId}`)
  return head.select
}
