import type { components } from '@causeway/sdk'
import { type AllRows, useAll, vaultsOptions } from '@causeway/sdk/react'
import { tokenOf } from '../api/tokens.ts'
import { deploymentsOf, type VaultPlace, vaultKey } from './deploymentsOf.ts'

const EVERY_MS = 60_000

type Vault = components['schemas']['Vault']

type VaultFacts = {
  name: string
  /** Null where the base is not a known token. */
  baseSymbol: string | null
}

/** Name and base of a vault, for rows that have only its address; undefined until they are known. */
export function useVaultFacts(place: VaultPlace): VaultFacts | undefined {
  const settings = { refetchInterval: EVERY_MS, select: factsOf }
  return useAll(vaultsOptions, {}, settings).data?.get(vaultKey(place))
}

function factsOf({ rows, tokenMetadata }: AllRows<Vault>): Map<string, VaultFacts> {
  const facts = deploymentsOf(rows).map(({ name, baseTokenAddress, ...place }) => {
    const baseSymbol = tokenOf(tokenMetadata, place.chainId, baseTokenAddress)?.symbol ?? null
    return [vaultKey(place), { name, baseSymbol }] as const
  })
  return new Map(facts)
}
