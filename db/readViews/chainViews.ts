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
 * The head of each served chain: a part of each statement that reads orders, and `read.chain_progress`. A build without a head has
 * no row. While `is_ready` is false there may be rows above the head.
 */
export const SERVED_HEADS = `
  select b.id as build, b.chain_id, h.block_number, h.block_hash, h.block_timestamp, h.last_change_hash, h.is_ready,
    greatest(h.block_number - b.finality_depth, 0) as finalized_block, w.block_number as high_water
  from app.index_build b join read.index_head h on h.build = b.id
  left join app.index_high_water w on w.chain_id = b.chain_id
  where b.state = 'served'`

/**
 * `read.chain_progress`: the same, for statements that also read fact tables. It names the tables of heads too, for their locks:
 * Ponder locks the heads before all tables of a build, and so does a statement that names this view first. So the second to
 * come waits for the first, and neither holds what the other needs.
 */
export function chainProgressView(builds: ServedBuild[]): string {
  const schemas = [...new Set(builds.map(({ postgresSchema }) => postgresSchema))]
  const gates = schemas.map(
    (postgresSchema, number) => `left join ${postgresSchema}.chain_head gate_${number} on false`,
  )
  return `create view read.chain_progress as select p.* from (${SERVED_HEADS}) p ${gates.join(' ')}`
}
