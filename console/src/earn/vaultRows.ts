import type { components } from '@causeway/sdk'

type Schemas = components['schemas']
type Deployment = Schemas['VaultDeployment'] & { name: string }

/** One deployment of a vault, with what the lists know of it. */
export type VaultRow = Deployment & {
  key: string
  tvl: Schemas['VaultTvl'] | null
  apy: Schemas['VaultApy'] | null
  cap: Schemas['SupplyCap'] | null
}

type Place = { chainId: number; vaultAddress: string }
type Lists = {
  vaults: readonly Schemas['Vault'][]
  tvls: readonly Schemas['VaultTvl'][]
  apys: readonly Schemas['VaultApy'][]
  caps: readonly Schemas['SupplyCap'][]
}

const keyOf = ({ chainId, vaultAddress }: Place) => `${chainId}:${vaultAddress}`

/** A row per deployment. Series come newest first: the first row of a vault is its current one. */
export function vaultRows({ vaults, tvls, apys, caps }: Lists): VaultRow[] {
  const [tvlOf, apyOf, capOf] = [firstByVault(tvls), firstByVault(apys), firstByVault(caps)]
  return vaults.flatMap(({ name, deployments }) =>
    deployments.map((deployment) => {
      const key = keyOf({ ...deployment, vaultAddress: deployment.boringVaultAddress })
      return {
        ...deployment,
        name,
        key,
        tvl: tvlOf.get(key) ?? null,
        apy: apyOf.get(key) ?? null,
        cap: capOf.get(key) ?? null,
      }
    }),
  )
}

function firstByVault<Row extends Place>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row] as const).toReversed())
}
