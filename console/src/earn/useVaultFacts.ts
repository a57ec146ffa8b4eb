import type { components } from '@causeway/sdk'
import { type AllRows, useAll, vaultsOptions } from '@causeway/sdk/react'
import { tokenOf } from '../api/tokens.ts'

const EVERY_MS = 60_000

type Vault = components['schemas']['Vault']

export type VaultPlace = { chainId: number; vaultAddress: string }

type VaultFacts = {
  name: string
  /** Null where the base is not a known token. */
  baseSymbol: string | null
}

const keyOf = ({ chainId, vaultAddress }: VaultPlace) => `${chainId}:${vaultAddress}`

/** Name and base of a vault, for rows that have only its address; undefined until they are known. */
export function useVaultFacts(place: VaultPlace): VaultFacts | undefined {
  const settings = { refetchInterval: EVERY_MS, select: factsOf }
  return useAll(vaultsOptions, {}, settings).data?.get(keyOf(place))
}

function factsOf({ rows, tokenMetadata }: AllRows<Vault>): Map<string, VaultFacts> {
  const facts = rows.flatMap(({ name, deployments }) =>
    deployments.map(({ chainId, boringVaultAddress, baseTokenAddress }) => {
      const baseSymbol = tokenOf(tokenMetadata, chainId, baseTokenAddress)?.symbol ?? null
      const key = keyOf({ chainId, vaultAddress: boringVaultAddress })
      return [key, { name, baseSymbol }] as const
    }),
  )
  return new Map(facts)
}
