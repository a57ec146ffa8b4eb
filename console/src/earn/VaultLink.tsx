import { Link } from '@tanstack/react-router'
import { shortHex } from '../format/shortHex.ts'

/** Leads to a deployment of a vault. */
export function VaultLink({ chainId, vaultAddress }: { chainId: number; vaultAddress: string }) {
  return (
    <Link
      to="/console/earn/$chainId/$vaultAddress"
      params={{ chainId: String(chainId), vaultAddress }}
      className="mono"
    >
      {shortHex(vaultAddress)}
    </Link>
  )
}
