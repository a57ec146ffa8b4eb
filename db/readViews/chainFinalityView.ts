import type { ReadChain } from './chainViews.ts'
import type { ServedBuild } from './servedBuild.ts'

/**
 * `read.chain_finality`: the newest finalized block of each served chain. `read.chain_progress` has it
 * too, at ten times the cost, and every order reads it for two chains.
 */
export function chainFinalityView(builds: ServedBuild[], chains: ReadChain[]): string {
  const depths = new Map(chains.map(({ id, finalityDepth }) => [id, finalityDepth]))
  const branches = builds.map(
    ({ postgresSchema, chainId }) => `
      select chain_id,
        greatest(block_number - ${depths.get(chainId) ?? 'null'}::integer, 0) as finalized_block
      from ${postgresSchema}.chain_head where chain_id = ${chainId}`,
  )
  return `create view read.chain_finality as ${branches.join(' union all ')}`
}
