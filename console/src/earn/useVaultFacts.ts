import { listVaults } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import { tokenOf } from '../api/tokens.ts'
import { useApi } from '../api/useApi.ts'

const EVERY_MS = 60_000

export type VaultPlace = { chainId: number; vaultAddress: string }

type VaultFacts = {
  name: string
  /** Null where the base is not a known token. */
  baseSymbol: string | null
}

const keyOf = ({ chainId, vaultAddress }: VaultPlace) => `${chainId}:${vaultAddress}`

/** Name and base of a vault, for rows that have only its address; undefined until they are known. */
export function useVaultFacts(place: VaultPlace): VaultFacts | undefined {
  const query = useApi(
    async (connection, options) => {
      const { rows, tokens } = await readAll(
        listVaults(connection, { pageSize: 100 }, options),
        'vaults',
      )
      const facts = rows.flatMap(({ name, deployments }) =>
        deployments.map(({ chainId, boringVaultAddress, baseTokenAddress }) => {
          const baseSymbol = tokenOf(tokens, chainId, baseTokenAddress)?.symbol ?? null
          const key = keyOf({ chainId, vaultAddress: boringVaultAddress })
          return [key, { name, baseSymbol }] as const
        }),
      )
      return new Map<string, VaultFacts>(facts)
    },
    { key: ['vault facts'], every: EVERY_MS },
  )
  return query.data?.get(keyOf(place))
}
