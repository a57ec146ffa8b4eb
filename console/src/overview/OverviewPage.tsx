import { Link } from '@tanstack/react-router'
import { useChains } from '../chains/useChains.ts'
import { Card } from '../components/Card.tsx'
import type { Point } from '../components/Chart.tsx'
import { LazyChart } from '../components/LazyChart.tsx'
import { Page } from '../components/Page.tsx'
import { Stat } from '../components/Stat.tsx'
import { Answered } from '../components/states.tsx'
import { formatCount, formatDecimal } from '../format/formatNumber.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { useEndpoints } from '../webhooks/useEndpoints.ts'
import { Attention } from './Attention.tsx'
import { ChainTable } from './ChainTable.tsx'
import { UnderWay } from './UnderWay.tsx'
import { useTransitDay } from './useTransitDay.ts'

const tokens = (value: number) => `${formatDecimal(String(value)).short} tokens`

/** How the installation does now, and what needs somebody. */
export function OverviewPage() {
  const chains = useChains()
  const day = useTransitDay()
  const doubts = useSession().session?.member?.doubts ?? []
  // Without the permission there are no rows.
  const endpoints = useEndpoints().data?.rows ?? []
  return (
    <Page title="Overview" about="What needs attention, and what moved in the last 24 full hours.">
      <Answered query={day} rows={3}>
        {({ orders, volume, routes, hasMore }) => (
          <>
            {chains.data && (
              <Attention
                chains={chains.data}
                routes={routes}
                endpoints={endpoints}
                doubts={doubts}
              />
            )}
            {hasMore && (
              <p className="note warn">
                The stats have more rows than are read here, so the sums lack some.
              </p>
            )}
            <dl className="stats">
              <Stat name="Orders in 24 h" under={<Link to="/console/transit">Find an order</Link>}>
                {formatCount(total(orders))}
              </Stat>
              <Stat name="Volume in 24 h" under="stablecoins, one to one">
                {formatDecimal(String(total(volume))).short}
              </Stat>
              <Stat name="Orders under way" under={<Link to="/console/routes">Routes</Link>}>
                {formatCount(routes.reduce((sum, { pendingCount }) => sum + pendingCount, 0))}
              </Stat>
              <Stat name="Chains synced" under="indexed up to their head">
                {chains.data
                  ? `${chains.data.filter(({ index }) => index?.isSynced).length} of ${chains.data.filter(({ index }) => index).length}`
                  : '–'}
              </Stat>
            </dl>
            <div className="grid-2">
              <Card title="Orders by hour">
                <LazyChart
                  name="Orders"
                  points={orders}
                  format={formatCount}
                  kind="bars"
                  isHourly
                  isCount
                />
              </Card>
              <Card title="Volume by hour">
                <LazyChart name="Volume" points={volume} format={tokens} kind="bars" isHourly />
              </Card>
            </div>
            <Card title="Value under way" isFlush>
              <UnderWay routes={routes} />
            </Card>
          </>
        )}
      </Answered>
      <Card title="Chains" isFlush>
        <Answered query={chains}>{(rows) => <ChainTable chains={rows} />}</Answered>
      </Card>
    </Page>
  )
}

function total(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0)
}
