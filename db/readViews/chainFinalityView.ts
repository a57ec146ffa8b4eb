import type { ReadChain } from './chainViews.ts'
import type { ServedBuild } from './replaceReadViews.ts'

/**
 * `read.chain_finality`: up to which block each served chain is final. It says what
 * `read.chain_progress` says too, at a tenth of the cost, since every order asks it of two chains.
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
