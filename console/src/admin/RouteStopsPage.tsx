import { type components, openTransitRoute, type Parameters } from '@causeway/sdk'
import {
  completeAuditLogOptions,
  joinQueries,
  transitRoutesOptions,
  transitStopsOptions,
  useAll,
} from '@causeway/sdk/react'
import { useState } from 'react'
import { LIVE } from '../api/live.ts'
import { symbolOf, type TokenMap } from '../api/tokens.ts'
import { useProvenChange } from '../api/useProvenChange.ts'
import { useChainName } from '../chains/useChainName.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Time } from '../components/Time.tsx'
import { ROUTE_END_COLUMNS, type RouteEnds, routeKey, stopOf } from '../transit/routeEnds.tsx'
import { StopDialog } from './StopDialog.tsx'

type Ends = Parameters<'openTransitRoute'>

/** The switch that stops the quotes of routes, for operators. */
export function RouteStopsPage() {
  const [stopping, setStopping] = useState<{ ends: Ends; name: string } | null>(null)
  const chainName = useChainName()
  const nameOfRoute = (route: Omit<SwitchedRoute, 'tokens' | 'stop' | 'ends'>, tokens: TokenMap) =>
    `${symbolOf(tokens, route.sourceChainId, route.offerAsset)} on ${chainName(route.sourceChainId)} → ${symbolOf(tokens, route.destinationChainId, route.wantAsset)} on ${chainName(route.destinationChainId)}`
  const queries = {
    routes: useAll(transitRoutesOptions, {}, LIVE),
    stops: useAll(transitStopsOptions, {}, LIVE),
  }
  const query = joinQueries(queries, ({ routes, stops }) => ({
    rows: switchedRoutes(routes.rows, stops.rows).map((row) => ({
      ...row,
      tokens: routes.tokenMetadata,
    })),
    ofAll: stopOf(stops.rows, {}),
    hasMore: routes.hasMore || stops.hasMore,
  }))
  const open = useProvenChange(
    (connection, ends: Ends) => openTransitRoute(connection, ends),
    [transitStopsOptions, completeAuditLogOptions],
  )
  const columns: readonly Column<SwitchedRoute>[] = [
    ...ROUTE_END_COLUMNS,
    {
      header: 'Quotes',
      cell: ({ stop }) =>
        stop ? <Badge tone="bad">Stopped</Badge> : <Badge tone="good">Given</Badge>,
    },
    { header: 'Reason', cell: ({ stop }) => stop?.reason ?? '' },
    { header: 'Since', cell: ({ stop }) => stop && <Time time={stop.stoppedAt} /> },
    { header: 'Actor', cell: ({ stop }) => stop && <code>{stop.actor}</code> },
    {
      header: '',
      isNumber: true,
      cell: ({ stop, ends, tokens, ...route }) =>
        stop ? (
          <Button isSmall disabled={open.isPending} onClick={() => open.mutate(ends)}>
            Open
          </Button>
        ) : (
          <Button isSmall onClick={() => setStopping({ ends, name: nameOfRoute(route, tokens) })}>
            Stop
          </Button>
        ),
    },
  ]
  return (
    <Page
      title="Stop routes"
      about="A stopped route gets no quotes, on every replica within 5 seconds. Quotes that were signed before can be submitted until they expire."
    >
      <Refusal error={open.error} />
      {query.data && (
        <Card
          title="All routes at once"
          actions={
            query.data.ofAll ? (
              <Button disabled={open.isPending} onClick={() => open.mutate({})}>
                Open all routes
              </Button>
            ) : (
              <Button look="danger" onClick={() => setStopping({ ends: {}, name: 'all routes' })}>
                Stop all routes
              </Button>
            )
          }
        >
          {query.data.ofAll ? (
            <p>
              <Badge tone="bad">All stopped</Badge> {query.data.ofAll.reason}, since{' '}
              <Time time={query.data.ofAll.stoppedAt} />. The stops of single routes go on beside
              it.
            </p>
          ) : (
            <p className="muted">There is no stop of all routes.</p>
          )}
        </Card>
      )}
      <ListCard
        title="Routes"
        query={query}
        columns={columns}
        keyOf={({ key }) => key}
        none="No route is set up"
      />
      {stopping && <StopDialog {...stopping} onClose={() => setStopping(null)} />}
    </Page>
  )
}

type Route = components['schemas']['TransitRoute']
type Stop = components['schemas']['TransitStop']

/** A route with its own stop, if there is one. */
type SwitchedRoute = RouteEnds & {
  key: string
  ends: Parameters<'openTransitRoute'>
  stop: Stop | null
  tokens: TokenMap
}

/** The open routes with their own stops. */
function switchedRoutes(
  routes: readonly Route[],
  stops: readonly Stop[],
): Omit<SwitchedRoute, 'tokens'>[] {
  return routes.map(({ sourceChainId, destinationChainId, offerAsset, wantAsset }) => {
    const ends = { sourceChainId, offerAsset, destinationChainId, wantAsset }
    return { ...ends, key: routeKey(ends), ends, stop: stopOf(stops, ends) }
  })
}
