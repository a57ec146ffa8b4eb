import {
  joinQueries,
  liquidityShortfallsOptions,
  supplyCapsOptions,
  useAll,
  vaultCompositionsOptions,
  vaultsOptions,
  withdrawalRequestsOptions,
} from '@causeway/sdk/react'
import { deploymentsOf, type VaultPlace } from './deploymentsOf.ts'

const EVERY_MS = 30_000

/** A deployment of a vault with its cap, composition and queue. Null if there is no such one. */
export function useVault({ chainId, vaultAddress }: VaultPlace) {
  const filter = { chainId, vaultAddress }
  const settings = { refetchInterval: EVERY_MS }
  const queries = {
    vaults: useAll(vaultsOptions, { filter: { chainId } }, settings),
    caps: useAll(supplyCapsOptions, { filter }, settings),
    compositions: useAll(vaultCompositionsOptions, { filter }, settings),
    requests: useAll(
      withdrawalRequestsOptions,
      { filter: { ...filter, status: 'PENDING' } },
      settings,
    ),
    shortfalls: useAll(liquidityShortfallsOptions, { filter }, settings),
  }
  return joinQueries(queries, ({ vaults, caps, compositions, requests, shortfalls }) => {
    const vault = deploymentsOf(vaults.rows).find(
      (one) => one.vaultAddress.toLowerCase() === vaultAddress.toLowerCase(),
    )
    if (!vault) return null
    return {
      vault,
      tokens: {
        ...vaults.tokenMetadata,
        ...compositions.tokenMetadata,
        ...requests.tokenMetadata,
        ...shortfalls.tokenMetadata,
      },
      cap: caps.rows[0] ?? null,
      components: compositions.rows[0]?.components ?? [],
      requests: requests.rows,
      hasMoreRequests: requests.hasMore,
      shortfalls: shortfalls.rows,
    }
  })
}

export type VaultView = NonNullable<ReturnType<typeof useVault>['data']>
