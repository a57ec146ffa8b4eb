import type { Filter } from '../../filter/filter.ts'
import { matchesFilter } from '../../filter/matchesFilter.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { pageInMemory } from '../../page/pageInMemory.ts'
import type { Page } from '../../page/pageOfRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { type EarnDeployment, earnDeployments } from './deployments.ts'
import { type LiveDeployment, readDeploymentStates } from './liveDeployments.ts'

/** A vault's name with its deployments, by chain. */
export type ListedVault = { name: string; deployments: LiveDeployment[] }
export type VaultPage = Page<'vaults', ListedVault>

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const vaultQuery = listQuery({
  list: 'vaults',
  keys: {
    name: { type: 'string' },
    chainId: { type: 'integer' },
    inDeprecation: { type: 'boolean' },
    requiresKyt: { type: 'boolean' },
  },
})

/** The vaults, by name, each with the deployments that match. Throws the errors of `vaultQuery`. */
export async function listVaults(context: EarnContext, params: ListParams): Promise<VaultPage> {
  const query = vaultQuery(context, params)
  const { filter } = query
  // Only chains that can have a match are read.
  const candidates = earnDeployments(context.addressBook).filter((deployment) =>
    [true, false].some((requiresKyt) => matches(filter, deployment, requiresKyt)),
  )
  const live = await readDeploymentStates(context, candidates)
  const matching = live.filter((deployment) =>
    matches(filter, deployment, deployment.state.requiresKyt),
  )
  const rows = [...Map.groupBy(matching, ({ name }) => name)].map(([name, deployments]) => ({
    name,
    deployments,
  }))
  return pageInMemory(context, query, { name: 'vaults', rows, place: ({ name }) => [name] })
}

function matches(
  filter: Filter | null,
  { name, chainId, inDeprecation }: EarnDeployment,
  requiresKyt: boolean,
): boolean {
  return matchesFilter(filter, { name, chainId, inDeprecation, requiresKyt })
}
