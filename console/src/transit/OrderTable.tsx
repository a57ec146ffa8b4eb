import type { components } from '@causeway/sdk'
import { Link } from '@tanstack/react-router'
import type { TokenMap } from '../api/tokens.ts'
import { ChainName } from '../chains/ChainName.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Hex } from '../components/Hex.tsx'
import { Time } from '../components/Time.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
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
  {
    id: 'offered',
    header: 'Offered',
    isNumber: true,
    cell: ({ offerAmount, tokens, sourceChainId, offerAsset }) =>
      offerAmount === null ? (
        '–'
      ) : (
        <TokenAmount
          amount={offerAmount}
          tokens={tokens}
          chainId={sourceChainId}
          token={offerAsset}
        />
      ),
  },
  {
    id: 'from',
    header: 'From',
    cell: ({ sourceChainId }) => <ChainName chainId={sourceChainId} />,
  },
  {
    id: 'due',
    header: 'Due',
    isNumber: true,
    cell: ({ amountDue, tokens, destinationChainId, wantAsset }) => (
      <TokenAmount
        amount={amountDue}
        tokens={tokens}
        chainId={destinationChainId}
        token={wantAsset}
      />
    ),
  },
  {
    id: 'to',
    header: 'To',
    cell: ({ destinationChainId }) => <ChainName chainId={destinationChainId} />,
  },
  {
    id: 'receiver',
    header: 'Receiver',
    cell: ({ receiver }) => <Hex hex={receiver} of="receiver's address" />,
  },
  {
    id: 'created',
    header: 'Created',
    sortBy: ({ createdAt }) => createdAt.getTime(),
    cell: ({ createdAt }) => <Time time={createdAt} />,
  },
]

export function OrderTable({ rows }: { rows: readonly OrderRow[] }) {
  return <DataTable label="Orders" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} />
}
