import { Link } from '@tanstack/react-router'
import { symbolOf } from '../api/tokens.ts'
import { OnChain } from '../chains/OnChain.tsx'
import { amountColumn, chainColumn, timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { UserLink } from '../earn/UserLink.tsx'
import { VaultLink } from '../earn/VaultLink.tsx'
import { shortHex } from '../format/shortHex.ts'
import { DepositStatusBadge } from './DepositStatusBadge.tsx'
import { paidOf } from './depositStatus.ts'
import type { AddressRow, DepositRow } from './useDeposits.ts'

type Customer = { customerId?: string | null | undefined }

function customerColumn<Row extends Customer>(): Column<Row> {
  return {
    id: 'customer',
    header: 'Customer',
    cell: ({ customerId }) => customerId ?? <span className="muted">none</span>,
  }
}

/** The columns of payments to smart deposit addresses. */
export const DEPOSIT_COLUMNS: readonly Column<DepositRow>[] = [
  {
    id: 'id',
    header: 'Deposit',
    cell: ({ depositId }) => (
      <Link to="/console/smart-deposits/$depositId" params={{ depositId }} className="mono">
        {shortHex(depositId)}
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: (deposit) => <DepositStatusBadge deposit={deposit} /> },
  amountColumn<DepositRow>({ id: 'received', header: 'Received' }, paidOf),
  amountColumn({ id: 'shares', header: 'Shares' }, (row) => ({
    amount: row.mintedAmount,
    chainId: row.chainId,
    token: row.vaultAddress,
  })),
  chainColumn({ id: 'chain', header: 'Chain' }, (row) => paidOf(row).chainId),
  {
    id: 'address',
    header: 'Address',
    cell: (row) => (
      <OnChain chainId={paidOf(row).chainId} hex={row.smartDepositAddress} kind="address" />
    ),
  },
  {
    id: 'user',
    header: 'User',
    cell: ({ userDestinationAddress }) => <UserLink userAddress={userDestinationAddress} />,
  },
  customerColumn(),
  timeColumn({ id: 'time', header: 'Seen' }, ({ createdAt }) => createdAt),
]

/** The columns of smart deposit addresses. */
export const ADDRESS_COLUMNS: readonly Column<AddressRow>[] = [
  {
    id: 'address',
    header: 'Address',
    cell: ({ smartDepositAddress: address }) => (
      <Link to="/console/smart-deposits/addresses/$address" params={{ address }} className="mono">
        {shortHex(address)}
      </Link>
    ),
  },
  {
    id: 'token',
    header: 'Token',
    cell: ({ tokens, chainId, inputToken }) => symbolOf(tokens, chainId, inputToken),
  },
  { id: 'vault', header: 'Vault', cell: (row) => <VaultLink {...row} /> },
  chainColumn({ id: 'chain', header: 'Chain' }, ({ chainId }) => chainId),
  {
    id: 'user',
    header: 'User',
    cell: ({ userDestinationAddress }) => <UserLink userAddress={userDestinationAddress} />,
  },
  customerColumn(),
  timeColumn({ id: 'time', header: 'Created' }, ({ createdAt }) => createdAt),
  {
    id: 'deposits',
    header: 'Deposits',
    cell: ({ smartDepositAddress }) => (
      <Link to="/console/smart-deposits" search={{ address: smartDepositAddress }}>
        Show
      </Link>
    ),
  },
]
