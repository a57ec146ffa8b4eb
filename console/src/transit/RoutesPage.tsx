import type { components } from '@causeway/sdk'
import {
  type AllRows,
  joinQueries,
  transitRouteApprovalsOptions,
  transitRoutesOptions,
  transitStopsOptions,
  useAll,
} from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'
import type { TokenMap } from '../api/tokens.ts'
import { Amount } from '../components/Amount.tsx'
import { Badge, type Tone } from '../components/Badge.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { Tip } from '../components/Tip.tsx'
import { TokenAmount } from '../components/TokenAmount.tsx'
import { formatPercent } from '../format/formatNumber.ts'
import { formatDuration, formatTime } from '../format/formatTime.ts'
import { useSession } from '../session/SessionProvider.tsx'
import { endsOf, ROUTE_END_COLUMNS, type RouteEnds, routeKey, withStops } from './routeEnds.tsx'

/** The routes between chains and tokens, with what they cost and how long they take. */
export function RoutesPage() {
  const isOperator = useSession().session?.member?.isOperator ?? false
  const routes = useAll(transitRoutesOptions, {}, LIVE)
  const approvals = useAll(transitRouteApprovalsOptions, {}, LIVE)
  const stops = useAll(transitStopsOptions, isOperator ? {} : null, LIVE)
  const query = isOperator
    ? joinQueries({ routes, approvals, stops }, rowsOf)
    : joinQueries({ routes, approvals }, (read) => rowsOf({ ...read, stops: null }))
  return (
    <Page
      title="Routes"
      about="From which token on which chain to which other one. Percentiles are of the last orders that were wholly paid."
    >
      <ListCard
        title="All routes"
        query={query}
        columns={COLUMNS}
        keyOf={routeKey}
        none="No route is set up"
        advice="The operator approves routes on the stations."
      />
    </Page>
  )
}

function size(row: Row, amount: bigint | null | undefined) {
  if (amount === null || amount === undefined) return <span className="muted">none</span>
  const { tokens, sourceChainId, offerAsset } = row
  return <TokenAmount amount={amount} tokens={tokens} chainId={sourceChainId} token={offerAsset} />
}

function latency(row: Row, name: 'p50Ms' | 'p90Ms' | 'p99Ms') {
  const found = row.open?.latency?.[name]
  return found === undefined ? <span className="muted">–</span> : formatDuration(found)
}

const COLUMNS: readonly Column<Row>[] = [
  ...ROUTE_END_COLUMNS,
  { header: 'State', cell: (row) => <RouteState row={row} /> },
  {
    header: 'Fee',
    isNumber: true,
    sortBy: ({ open }) => open?.conversionRateHundredthsBps ?? -1,
    // A hundredth of a basis point is a millionth.
    cell: ({ open }) =>
      open ? (
        <Amount value={formatPercent(String(open.conversionRateHundredthsBps / 10_000))} />
      ) : (
        '–'
      ),
  },
  { header: 'Minimum', isNumber: true, cell: (row) => size(row, row.open?.minOrderSize) },
  { header: 'Maximum', isNumber: true, cell: (row) => size(row, row.open?.maxOrderSize) },
  {
    header: 'Half within',
    isNumber: true,
    sortBy: ({ open }) => open?.latency?.p50Ms ?? 0,
    cell: (row) => latency(row, 'p50Ms'),
  },
  { header: '90 % within', isNumber: true, cell: (row) => latency(row, 'p90Ms') },
  { header: '99 % within', isNumber: true, cell: (row) => latency(row, 'p99Ms') },
]

type State = { name: string; tone: Tone; why: string | null }

function stateOf({ open, closedSince }: Row): State {
  if (open?.stopReason)
    return {
      name: 'Stopped',
      tone: 'bad',
      why: `The operator stopped its quotes: ${open.stopReason}`,
    }
  if (open?.stale)
    return {
      name: 'Open, not up to date',
      tone: 'warn',
      why: 'The nodes of a chain answer late: the limits may be old.',
    }
  if (open) return { name: 'Open', tone: 'good', why: null }
  return {
    name: 'Closed',
    tone: 'bad',
    why: closedSince
      ? `The operator withdrew the approval: ${formatTime(closedSince).local}.`
      : 'It is approved, but the route cannot take orders now: a station is paused, or the token has no price.',
  }
}

function RouteState({ row }: { row: Row }) {
  const { name, tone, why } = stateOf(row)
  const badge = <Badge tone={tone}>{name}</Badge>
  if (why === null) return badge
  return (
    <Tip tip={why}>
      <button type="button" className="plain">
        {badge}
      </button>
    </Tip>
  )
}

type Route = components['schemas']['TransitRoute']
type Approval = components['schemas']['TransitRouteApproval']
type Stop = components['schemas']['TransitStop']

/** A route. `open` is null while it takes no orders; `closedSince` is when its approval was withdrawn. */
type Row = RouteEnds & { tokens: TokenMap; open: Route | null; closedSince: Date | null }

type Read = {
  routes: AllRows<Route>
  approvals: AllRows<Approval>
  /** Only operators see the stops. */
  stops: AllRows<Stop> | null
}

/** The open routes, then the approved ones that take no orders and those whose approval was withdrawn. */
function rowsOf({ routes, approvals, stops }: Read) {
  const tokens = { ...approvals.tokenMetadata, ...routes.tokenMetadata }
  const rows = new Map<string, Row>()
  for (const open of stops ? withStops(routes.rows, stops.rows) : routes.rows)
    rows.set(routeKey(open), { ...endsOf(open), tokens, open, closedSince: null })
  // Approvals come newest first.
  for (const { approved, timestamp, destinationChainId, ...approval } of approvals.rows) {
    if (destinationChainId === null) continue
    const ends = endsOf({ ...approval, destinationChainId })
    if (rows.has(routeKey(ends))) continue
    const closedSince = approved ? null : timestamp
    rows.set(routeKey(ends), { ...ends, tokens, open: null, closedSince })
  }
  return { rows: [...rows.values()], hasMore: routes.hasMore || approvals.hasMore }
}
