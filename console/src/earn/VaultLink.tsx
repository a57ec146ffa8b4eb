import { Link } from '@tanstack/react-router'
import { shortHex } from '../format/shortHex.ts'
import type { VaultPlace } from './deploymentsOf.ts'
import { useVaultFacts } from './useVaultFacts.ts'

/** Leads to a deployment of a vault, by its name, or by its address until the name is known. */
export function VaultLink({ chainId, vaultAddress }: VaultPlace) {
  const name = useVaultFacts({ chainId, vaultAddress })?.name
  return (
    <Link
      to="/console/earn/$chainId/$vaultAddress"
      params={{ chainId: String(chainId), vaultAddress }}
      className={name ? undefined : 'mono'}
    >
      {name ?? shortHex(vaultAddress)}
    </Link>
  )
}
