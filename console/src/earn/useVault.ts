import {
  listLiquidityShortfalls,
  listSupplyCaps,
  listVaultCompositions,
  listVaults,
  listWithdrawalRequests,
} from '@causeway/sdk'
import type { Address } from 'viem'
import { readAll } from '../api/readAll.ts'
import { useApi } from '../api/useApi.ts'

const EVERY_MS = 30_000

export type VaultPlace = { chainId: number; vaultAddress: Address }

/** A deployment of a vault with its cap, composition and queue. Null if there is no such one. */
export function useVault({ chainId, vaultAddress }: VaultPlace) {
  return useApi(
    async (connection, options) => {
      const filter = { chainId, vaultAddress }
      const own = { filter, pageSize: 100 }
      const [vaults, caps, compositions, requests, shortfalls] = await Promise.all([
        readAll(listVaults(connection, { filter: { chainId }, pageSize: 100 }, options), 'vaults'),
        readAll(listSupplyCaps(connection, own, options), 'supplyCaps'),
        readAll(listVaultCompositions(connection, own, options), 'vaultCompositions'),
        readAll(
          listWithdrawalRequests(
            connection,
            { filter: { ...filter, status: 'PENDING' }, pageSize: 100 },
            options,
          ),
          'withdrawalRequests',
        ),
        readAll(listLiquidityShortfalls(connection, own, options), 'liquidityShortfalls'),
      ])
      const tokens = {
        ...vaults.tokens,
        ...compositions.tokens,
        ...requests.tokens,
        ...shortfalls.tokens,
      }
      const found = vaults.rows.flatMap(({ name, deployments }) =>
        deployments
          .filter((one) => one.boringVaultAddress.toLowerCase() === vaultAddress.toLowerCase())
          .map((one) => ({ ...one, name })),
      )[0]
      if (!found) return null
      return {
        vault: found,
        tokens,
        cap: caps.rows[0] ?? null,
        components: compositions.rows[0]?.components ?? [],
        requests: requests.rows,
        isQueueCut: requests.isCut,
        shortfalls: shortfalls.rows,
      }
    },
    { key: ['vault', chainId, vaultAddress], every: EVERY_MS },
  )
}

export type VaultView = NonNullable<ReturnType<typeof useVault>['data']>
