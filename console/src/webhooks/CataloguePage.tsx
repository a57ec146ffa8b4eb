import { getRouteApi, Link } from '@tanstack/react-router'
import { Card } from '../components/Card.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { JsonText } from '../components/JsonText.tsx'
import { Page } from '../components/Page.tsx'
import { Answered } from '../components/states.tsx'
import type { EventDescription, EventField } from './eventCatalogue.ts'
import { useEventCatalogue } from './useEventCatalogue.ts'

const route = getRouteApi('/console/webhooks/catalogue')

/** Every type of event, with its fields and an example. */
export function CataloguePage() {
  const { type } = route.useSearch()
  const query = useEventCatalogue()
  return (
    <Page
      title="Types of events"
      about={
        <>
          What a webhook sends. <a href="/docs/webhooks">The guide</a> has their meaning and order.
        </>
      }
    >
      <Answered query={query} rows={8}>
        {(catalogue) => {
          const shown = catalogue.find((one) => one.type === type) ?? catalogue[0]
          return (
            <div className="catalogue">
              <nav aria-label="Types of events" className="card">
                <ul>
                  {catalogue.map((one) => (
                    <li key={one.type}>
                      <Link
                        to="/console/webhooks/catalogue"
                        search={{ type: one.type }}
                        className={one === shown ? 'active' : ''}
                        aria-current={one === shown ? 'true' : undefined}
                        resetScroll={false}
                      >
                        {one.type}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
              {shown && <Description event={shown} />}
            </div>
          )
        }}
      </Answered>
    </Page>
  )
}

function Description({ event }: { event: EventDescription }) {
  return (
    <div className="stack">
      <Card title={event.type} isFlush>
        <p className="card-part">{event.summary}.</p>
        <DataTable
          label={`Fields of ${event.type}`}
          rows={event.fields}
          columns={COLUMNS}
          keyOf={({ name }) => name}
        />
      </Card>
      <Card title="Example">
        <JsonText value={event.example} of="example" />
      </Card>
    </div>
  )
}

const COLUMNS: readonly Column<EventField>[] = [
  {
    header: 'Field',
    cell: ({ name, isAlways }) => (
      <>
        <code>{name}</code>
        {!isAlways && <span className="muted"> sometimes</span>}
      </>
    ),
  },
  { header: 'Type', cell: ({ type }) => type },
  {
    header: 'Meaning',
    cell: ({ description }) => description && <span className="wrap">{description}</span>,
  },
]
