import { joinQueries, useAll, vaultAssetsOptions, vaultsOptions } from '@causeway/sdk/react'
import type { Address } from 'viem'
import { type TokenMap, tokenOf } from '../api/tokens.ts'
import { deploymentsOf, type VaultPlace, vaultKey } from './deploymentsOf.ts'

const EVERY_MS = 60_000

/** A token that a vault takes or pays now. */
export type OfferedAsset = { address: Address; symbol: string; decimals: number }

/** A deployment of a vault, with what can be deposited and withdrawn now. */
export type VaultOffer = VaultPlace & {
  /** Unique among the offers. */
  key: string
  name: string
  requiresKyt: boolean
  depositable: readonly OfferedAsset[]
  withdrawable: readonly OfferedAsset[]
}

/** The deployments of all vaults, with their tokens. */
export function useVaultOffers() {
  const settings = { refetchInterval: EVERY_MS }
  const queries = {
    vaults: useAll(vaultsOptions, {}, settings),
    assets: useAll(vaultAssetsOptions, {}, settings),
  }
  return joinQueries(queries, ({ vaults, assets }) =>
    deploymentsOf(vaults.rows).map((deployment): VaultOffer => {
      const key = vaultKey(deployment)
      const { name, chainId, vaultAddress, requiresKyt, inDeprecation } = deployment
      const own = assets.rows.filter((asset) => vaultKey(asset) === key)
      const known = (address: Address) => assetOf(assets.tokenMetadata, chainId, address)
      return {
        key,
        name,
        chainId,
        vaultAddress,
        requiresKyt,
        depositable: own
          .filter(({ depositable }) => depositable && !inDeprecation)
          .flatMap(({ assetAddress }) => known(assetAddress)),
        withdrawable: own
          .filter(({ withdrawable }) => withdrawable)
          .flatMap(({ assetAddress }) => known(assetAddress)),
      }
    }),
  )
}

/** None where its decimals are not known: an amount of it cannot be typed in. */
function assetOf(tokens: TokenMap, chainId: number, address: Address): OfferedAsset[] {
  const token = tokenOf(tokens, chainId, address)
  return token ? [{ address, symbol: token.symbol, decimals: token.decimals }] : []
}
