import { symbolOf, type TokenMap } from '../api/tokens.ts'
import { Badge } from '../components/Badge.tsx'
import { amountColumn, chainColumn } from '../components/columns.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import type { AddressRow } from './useDeposits.ts'

type AcceptanceRow = AddressRow['accepts'][number] & { tokens: TokenMap }

const WAYS: Record<AcceptanceRow['via'], string> = {
  DIRECT: 'into the vault',
  TRANSIT: 'first sent on by a Transit order',
}

const COLUMNS: readonly Column<AcceptanceRow>[] = [
  { header: 'Token', cell: ({ tokens, chainId, asset }) => symbolOf(tokens, chainId, asset) },
  chainColumn('Chain', ({ chainId }) => chainId),
  amountColumn('At least', ({ minimum, chainId, asset }) => ({
    amount: minimum,
    chainId,
    token: asset,
  })),
  { header: 'Way', cell: ({ via }) => WAYS[via] },
  {
    header: 'Now',
    cell: ({ isOpen, reason }) => (
      <>
        <Badge tone={isOpen ? 'good' : 'warn'}>{isOpen ? 'Open' : 'Closed'}</Badge>{' '}
        {reason && <span className="muted">{reason.message}</span>}
      </>
    ),
  },
]

/** The payments that a smart deposit address accepts. */
export function AcceptsTable({ address }: { address: AddressRow }) {
  const rows = address.accepts.map((one) => ({ ...one, tokens: address.tokens }))
  return (
    <DataTable
      label="What the address accepts"
      rows={rows}
      columns={COLUMNS}
      keyOf={({ chainId, asset }) => `${chainId}:${asset}`}
    />
  )
}
