import { type components, openTransitRoute, type Parameters, stopTransitRoute } from '@causeway/sdk'
import {
  completeAuditLogOptions,
  joinQueries,
  transitRoutesOptions,
  transitStopsOptions,
  useAll,
} from '@causeway/sdk/react'
import { useState } from 'react'
import { LIVE } from '../api/live.ts'
import { symbolOf, type TokenMap, withTokens } from '../api/tokens.ts'
import { useProvenChange } from '../api/useProvenChange.ts'
import { useChainName } from '../chains/useChainName.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import type { Column } from '../components/DataTable.tsx'
import { Field } from '../components/Field.tsx'
import { FormDialog } from '../components/FormDialog.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Time } from '../components/Time.tsx'
import {
  endsOf,
  ROUTE_END_COLUMNS,
  type RouteEnds,
  routeKey,
  stopOf,
} from '../transit/routeEnds.tsx'

const AFFECTED = [transitStopsOptions, completeAuditLogOptions]

type Ends = Parameters<'openTransitRoute'>
/** The routes to stop, and their name, such as `all routes`. */
type Stopping = { ends: Ends; name: string }

/** The switch that stops the quotes of routes, for operators. */
export function RouteStopsPage() {
  const [stopping, setStopping] = useState<Stopping | null>(null)
  const chainName = useChainName()
  const nameOfRoute = ({ tokens, ...route }: SwitchedRoute) =>
    `${symbolOf(tokens, route.sourceChainId, route.offerAsset)} on ${chainName(route.sourceChainId)} → ${symbolOf(tokens, route.destinationChainId, route.wantAsset)} on ${chainName(route.destinationChainId)}`
  const queries = {
    routes: useAll(transitRoutesOptions, {}, LIVE),
    stops: useAll(transitStopsOptions, {}, LIVE),
  }
  const query = joinQueries(queries, ({ routes, stops }) => ({
    rows: withTokens(routes).rows.map((route) => ({ ...route, stop: stopOf(stops.rows, route) })),
    ofAll: stopOf(stops.rows, {}),
    hasMore: routes.hasMore || stops.hasMore,
  }))
  const open = useProvenChange(
    (connection, ends: Ends) => openTransitRoute(connection, ends),
    AFFECTED,
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
      cell: (row) =>
        row.stop ? (
          <Button isSmall disabled={open.isPending} onClick={() => open.mutate(endsOf(row))}>
            Open
          </Button>
        ) : (
          <Button
            isSmall
            onClick={() => setStopping({ ends: endsOf(row), name: nameOfRoute(row) })}
          >
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
        keyOf={routeKey}
        none="No route is set up"
      />
      {stopping && <StopDialog {...stopping} onClose={() => setStopping(null)} />}
    </Page>
  )
}

/** An open route with its own stop, if there is one. */
type SwitchedRoute = RouteEnds & {
  stop: components['schemas']['TransitStop'] | null
  tokens: TokenMap
}

/** Asks for the reason of a stop, and stops. */
function StopDialog({ ends, name, onClose }: Stopping & { onClose: () => void }) {
  const change = useProvenChange(
    (connection, reason: string) => stopTransitRoute(connection, { ...ends, reason }),
    AFFECTED,
    { onSuccess: onClose },
  )
  return (
    <FormDialog
      title={`Stop ${name}`}
      about="No quote is given until it is opened again."
      action="Stop"
      look="danger"
      change={change}
      onSubmit={(text) => change.mutate(text('reason'))}
      onClose={onClose}
    >
      <Field
        label="Reason"
        name="reason"
        required
        maxLength={200}
        autoComplete="off"
        hint="Everybody who asks for a quote sees it."
      />
    </FormDialog>
  )
}
