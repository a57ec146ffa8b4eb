import { Link } from '@tanstack/react-router'
import { shortHex } from '../format/shortHex.ts'

/** Leads to what an address has and did in vaults. */
export function UserLink({ userAddress }: { userAddress: string }) {
  return (
    <Link to="/console/users/$userAddress" params={{ userAddress }} className="mono">
      {shortHex(userAddress)}
    </Link>
  )
}
