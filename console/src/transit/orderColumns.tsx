import type { components } from '@causeway/sdk'
import { Link } from '@tanstack/react-router'
import type { TokenMap } from '../api/tokens.ts'
import { StatusBadge } from '../components/Badge.tsx'
import { amountColumn, chainColumn, timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Hex } from '../components/Hex.tsx'
import { shortHex } from '../format/shortHex.ts'
import { ORDER_STATUS } from '../orders/orderStatus.ts'

type Order = components['schemas']['TransitOrder']
type OrderRow = Order & { tokens: TokenMap }

/** The columns of orders. */
export const ORDER_COLUMNS: readonly Column<OrderRow>[] = [
  {
    header: 'Order',
    cell: ({ id }) => (
      <Link to="/orders/$orderId" params={{ orderId: id }} className="mono">
        {shortHex(id)}
      </Link>
    ),
  },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={ORDER_STATUS[status]} /> },
  amountColumn('Offered', (row) => ({
    amount: row.offerAmount,
    chainId: row.sourceChainId,
    token: row.offerAsset,
  })),
  chainColumn('From', ({ sourceChainId }) => sourceChainId),
  amountColumn('Due', (row) => ({
    amount: row.amountDue,
    chainId: row.destinationChainId,
    token: row.wantAsset,
  })),
  chainColumn('To', ({ destinationChainId }) => destinationChainId),
  { header: 'Receiver', cell: ({ receiver }) => <Hex hex={receiver} of="receiver's address" /> },
  timeColumn('Created', ({ createdAt }) => createdAt),
]
