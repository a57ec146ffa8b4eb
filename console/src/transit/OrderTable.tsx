import type { components } from '@causeway/sdk'
import { Link } from '@tanstack/react-router'
import type { TokenMap } from '../api/tokens.ts'
import { amountColumn, chainColumn, timeColumn } from '../components/columns.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Hex } from '../components/Hex.tsx'
import { shortHex } from '../format/shortHex.ts'
import { OrderStatusBadge } from '../orders/OrderStatusBadge.tsx'

type Order = components['schemas']['TransitOrder']
export type OrderRow = Order & { tokens: TokenMap }

const COLUMNS: readonly Column<OrderRow>[] = [
  {
    id: 'id',
    header: 'Order',
    cell: ({ id }) => (
      <Link to="/orders/$orderId" params={{ orderId: id }} className="mono">
        {shortHex(id)}
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <OrderStatusBadge status={status} /> },
  amountColumn({ id: 'offered', header: 'Offered' }, (row) => ({
    amount: row.offerAmount,
    chainId: row.sourceChainId,
    token: row.offerAsset,
  })),
  chainColumn({ id: 'from', header: 'From' }, ({ sourceChainId }) => sourceChainId),
  amountColumn({ id: 'due', header: 'Due' }, (row) => ({
    amount: row.amountDue,
    chainId: row.destinationChainId,
    token: row.wantAsset,
  })),
  chainColumn({ id: 'to', header: 'To' }, ({ destinationChainId }) => destinationChainId),
  {
    id: 'receiver',
    header: 'Receiver',
    cell: ({ receiver }) => <Hex hex={receiver} of="receiver's address" />,
  },
  timeColumn({ id: 'created', header: 'Created' }, ({ createdAt }) => createdAt),
]

export function OrderTable({ rows }: { rows: readonly OrderRow[] }) {
  return <DataTable label="Orders" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} />
}
