import { Link } from '@tanstack/react-router'
import { symbolOf } from '../api/tokens.ts'
import { OnChain } from '../chains/OnChain.tsx'
import { StatusBadge } from '../components/Badge.tsx'
import { amountColumn, chainColumn, timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import { VaultLink } from '../earn/VaultLink.tsx'
import { shortHex } from '../format/shortHex.ts'
import { paidOf, shownStatus } from './depositStatus.ts'
import type { AddressRow, DepositRow } from './useDeposits.ts'

type Customer = { customerId?: string | null | undefined }

function customerColumn<Row extends Customer>(): Column<Row> {
  return {
    header: 'Customer',
    cell: ({ customerId }) => customerId ?? <span className="muted">none</span>,
  }
}

/** The columns of payments to smart deposit addresses. */
export const DEPOSIT_COLUMNS: readonly Column<DepositRow>[] = [
  {
    header: 'Deposit',
    cell: ({ depositId }) => (
      <Link to="/console/smart-deposits/$depositId" params={{ depositId }} className="mono">
        {shortHex(depositId)}
      </Link>
    ),
  },
  { header: 'Status', cell: (deposit) => <StatusBadge status={shownStatus(deposit)} /> },
  amountColumn<DepositRow>('Received', paidOf),
  amountColumn('Shares', (row) => ({
    amount: row.mintedAmount,
    chainId: row.chainId,
    token: row.vaultAddress,
  })),
  chainColumn('Chain', (row) => paidOf(row).chainId),
  {
    header: 'Address',
    cell: (row) => (
      <OnChain chainId={paidOf(row).chainId} hex={row.smartDepositAddress} kind="address" />
    ),
  },
  {
    header: 'User',
    cell: ({ userDestinationAddress }) => <UserLink userAddress={userDestinationAddress} />,
  },
  customerColumn(),
  timeColumn('Seen', ({ createdAt }) => createdAt),
]

/** The columns of smart deposit addresses. */
export const ADDRESS_COLUMNS: readonly Column<AddressRow>[] = [
  {
    header: 'Address',
    cell: ({ smartDepositAddress: address }) => (
      <Link to="/console/smart-deposits/addresses/$address" params={{ address }} className="mono">
        {shortHex(address)}
      </Link>
    ),
  },
  {
    header: 'Token',
    cell: ({ tokens, chainId, inputToken }) => symbolOf(tokens, chainId, inputToken),
  },
  { header: 'Vault', cell: (row) => <VaultLink {...row} /> },
  chainColumn('Chain', ({ chainId }) => chainId),
  {
    header: 'User',
    cell: ({ userDestinationAddress }) => <UserLink userAddress={userDestinationAddress} />,
  },
  customerColumn(),
  timeColumn('Created', ({ createdAt }) => createdAt),
  {
    header: 'Deposits',
    cell: ({ smartDepositAddress }) => (
      <Link to="/console/smart-deposits" search={{ address: smartDepositAddress }}>
        Show
      </Link>
    ),
  },
]
