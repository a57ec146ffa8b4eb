import { Link } from '@tanstack/react-router'
import { symbolOf } from '../api/tokens.ts'
import { ChainName } from '../chains/ChainName.tsx'
import { amountColumn, countColumn } from '../components/columns.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Empty } from '../components/states.tsx'
import { routeKey } from '../transit/routeEnds.tsx'
import type { RouteUnderWay } from './useTransitDay.ts'

const COLUMNS: readonly Column<RouteUnderWay>[] = [
  {
    header: 'Route',
    cell: ({ tokens, sourceChainId, offerAsset, destinationChainId, wantAsset }) => (
      <>
        <strong>{symbolOf(tokens, sourceChainId, offerAsset)}</strong>{' '}
        <span className="muted">
          <ChainName chainId={sourceChainId} /> →{' '}
        </span>
        <strong>{symbolOf(tokens, destinationChainId, wantAsset)}</strong>{' '}
        <span className="muted">
          <ChainName chainId={destinationChainId} />
        </span>
      </>
    ),
  },
  {
    ...amountColumn<RouteUnderWay>('Under way', (row) => ({
      amount: row.pendingAmount,
      chainId: row.destinationChainId,
      token: row.wantAsset,
    })),
    sortBy: ({ pendingAmount }) => pendingAmount,
  },
  countColumn('Orders', ({ pendingCount }) => pendingCount),
]

/** The orders under way, by route. */
export function UnderWay({ routes }: { routes: RouteUnderWay[] }) {
  const waiting = routes.filter(({ pendingCount }) => pendingCount > 0)
  if (waiting.length === 0)
    return <Empty title="Nothing is under way">Every order has been paid.</Empty>
  return (
    <>
      <DataTable label="Value under way" rows={waiting} columns={COLUMNS} keyOf={routeKey} />
      <div className="table-foot">
        <span>Now, of all routes</span>
        <Link to="/console/routes">All routes</Link>
      </div>
    </>
  )
}
