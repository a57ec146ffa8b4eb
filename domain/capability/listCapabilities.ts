import type { Address } from 'viem'
import { chainNotFound } from '../chain/chainNotFound.ts'
import type { SharedServices } from '../context.ts'
import {
  deploymentsOfVault,
  type EarnDeployment,
  earnDeployments,
} from '../earn/vaults/deployments.ts'
import { type ListParams, listQuery } from '../page/listQuery.ts'
import { pageInMemory } from '../page/pageInMemory.ts'
import type { PageCursor } from '../page/pageToken.ts'
import { refuseZero } from '../token/refuseZero.ts'
import { type ResolvedRoute, resolvedRoutes } from '../transit/routes/resolvedRoutes.ts'
import type { Capability } from './capability.ts'
import type { CapabilityContext } from './capabilityContext.ts'
import { routeCapability } from './routeCapability.ts'
import { type VaultCapabilities, vaultCapabilities } from './vaultCapabilities.ts'
import { readConditions } from './vaultConditions.ts'

/** Addresses are lower case. */
export type CapabilityParams = ListParams & {
  chainId?: number | undefined
  /** Then there are no routes. */
  vaultAddress?: Address | undefined
  /** Also what closes a capability for this account alone. */
  userAddress?: Address | undefined
}

export type RouteCapability = Pick<
  ResolvedRoute['route'],
  'sourceChainId' | 'destinationChainId' | 'offerAsset' | 'wantAsset'
> & { destinationEid: number } & Capability

export type VaultCapability = { chainId: number; vaultAddress: Address } & VaultCapabilities

export type CapabilityPage = {
  transitRoutes: RouteCapability[]
  vaults: VaultCapability[]
  nextPageToken: string | null
}

type Row =
  | { kind: 'route'; resolved: ResolvedRoute }
  | { kind: 'vault'; deployment: EarnDeployment }

/** The list's arguments, checked. Throws `INVALID_FIELD` or `INVALID_PAGE_TOKEN`. */
export const capabilityQuery = listQuery({
  list: 'capabilities',
  keys: {},
  bound: ({ chainId, vaultAddress, userAddress }: CapabilityParams) => [
    chainId ?? null,
    vaultAddress ?? null,
    userAddress ?? null,
  ],
  violations: ({ userAddress }) => refuseZero('userAddress', userAddress),
})

/**
 * Every route and vault deployment of the address book, closed ones too, and why each is closed: by the verdicts of the calls
 * themselves. Routes come first. Throws the errors of `capabilityQuery`, `CHAIN_NOT_FOUND`, `VAULT_NOT_FOUND`, or the
 * database's error.
 */
export async function listCapabilities(
  context: CapabilityContext,
  params: CapabilityParams,
): Promise<CapabilityPage> {
  const query = capabilityQuery(context, params)
  const { userAddress } = params
  const { items, nextPageToken } = pageInMemory(context, query, {
    name: 'items',
    rows: rowsOf(context, params),
    place: placeOf,
  })
  const resolved = items.flatMap((row) => (row.kind === 'route' ? [row.resolved] : []))
  const deployments = items.flatMap((row) => (row.kind === 'vault' ? [row.deployment] : []))
  const [transitRoutes, vaults] = await Promise.all([
    Promise.all(resolved.map((route) => readRoute(context, route, userAddress))),
    readVaults(context, deployments, userAddress ?? null),
  ])
  return { transitRoutes, vaults, nextPageToken }
}

function rowsOf(
  { addressBook }: Pick<SharedServices, 'addressBook'>,
  { chainId, vaultAddress }: CapabilityParams,
): Row[] {
  const unknown = chainId === undefined ? undefined : chainNotFound(addressBook, chainId)
  if (unknown) throw unknown
  const deployments =
    vaultAddress === undefined
      ? earnDeployments(addressBook).filter((one) => (chainId ?? one.chainId) === one.chainId)
      : deploymentsOfVault(addressBook, vaultAddress, chainId)
  const routes =
    vaultAddress === undefined
      ? resolvedRoutes(addressBook).filter(
          ({ source, destination }) =>
            chainId === undefined || source.chainId === chainId || destination.chainId === chainId,
        )
      : []
  return [
    ...routes.map((resolved): Row => ({ kind: 'route', resolved })),
    ...deployments.map((deployment): Row => ({ kind: 'vault', deployment })),
  ]
}

function placeOf(row: Row): PageCursor {
  if (row.kind === 'vault') return ['vault', row.deployment.chainId, row.deployment.vault]
  const { sourceChainId, destinationChainId, offerAsset, wantAsset } = row.resolved.route
  return ['route', sourceChainId, destinationChainId, offerAsset, wantAsset]
}

async function readRoute(
  context: CapabilityContext,
  resolved: ResolvedRoute,
  userAddress: Address | undefined,
): Promise<RouteCapability> {
  const { sourceChainId, destinationChainId, offerAsset, wantAsset } = resolved.route
  const destinationEid = resolved.destination.eid
  const ends = { sourceChainId, destinationChainId, destinationEid, offerAsset, wantAsset }
  return { ...ends, ...(await routeCapability(context, resolved, userAddress)) }
}

/** A chain is read once; for everybody, the read is shared with other calls. */
async function readVaults(
  context: CapabilityContext,
  asked: EarnDeployment[],
  user: Address | null,
): Promise<VaultCapability[]> {
  const byChain = Map.groupBy(asked, ({ chainId }) => chainId)
  const read = await Promise.all(
    [...byChain].map(([chainId, deployments]) => {
      const reading =
        user === null
          ? context.publicConditions.get(chainId)
          : readConditions(context, { chainId, deployments, user })
      const conditions = () => reading
      return Promise.all(
        deployments.map(async (deployment): Promise<VaultCapability> => {
          const capabilities = await vaultCapabilities(context, { deployment, user, conditions })
          return { chainId, vaultAddress: deployment.vault, ...capabilities }
        }),
      )
    }),
  )
  return read.flat()
}
