import { eventsOptions } from '@causeway/sdk/react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccess } from '../api/connectionContext.tsx'
import { LIVE_PAGES } from '../api/live.ts'
import { Button } from '../components/Button.tsx'
import type { Column } from '../components/DataTable.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { JsonText } from '../components/JsonText.tsx'
import { PagedCard } from '../components/ListCard.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { Page } from '../components/Page.tsx'
import { Time } from '../components/Time.tsx'
import { shortHex } from '../format/shortHex.ts'
import { useEventCatalogue } from '../webhooks/useEventCatalogue.ts'
import { type EventSearch, eventFilter } from './eventSearch.ts'
import { type RecordedEvent, readWindow } from './readWindow.ts'

const route = getRouteApi('/console/events')

/** Every event of the organization, whether it was delivered or not. */
export function EventsPage() {
  const search = route.useSearch()
  const { connection } = useAccess()
  const [shown, setShown] = useState<RecordedEvent | null>(null)
  const filter = eventFilter(search)
  const query = useInfiniteQuery({
    queryKey: [...eventsOptions.key(connection), 'newest first', filter],
    queryFn: ({ pageParam, signal }) =>
      readWindow(connection, { end: pageParam, ...filter }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ before }) => before,
    select: ({ pages }) => pages.flatMap(({ events }) => events),
    ...LIVE_PAGES,
  })
  return (
    <Page
      title="Event log"
      about="Every event of your organization, delivered or not, the newest first. A program reads it by number, without gaps."
    >
      <EventFilters search={search} />
      <PagedCard
        title="Events"
        query={query}
        noun="events"
        columns={eventColumns(setShown)}
        keyOf={({ organizationSequence }) => organizationSequence}
        none="No event fits"
        advice="Events of smart deposits are always recorded; others while an endpoint selects them."
      />
      {shown && (
        <ModalDialog title={shown.event.type} isWide onClose={() => setShown(null)}>
          <JsonText value={shown.event} of="event" />
          <div className="dialog-actions">
            <Button onClick={() => setShown(null)}>Close</Button>
          </div>
        </ModalDialog>
      )}
    </Page>
  )
}

/** The filters of the event log. */
function EventFilters({ search }: { search: EventSearch }) {
  const catalogue = useEventCatalogue().data ?? []
  const groups = [...new Set(catalogue.map(({ type }) => type.split('.')[0]))]
  const patterns = groups.filter((group) => group !== 'ping').map((group) => `${group}.*`)
  const types = [...patterns, ...catalogue.map(({ type }) => type)]
  return (
    <FilterForm
      search={search}
      filter={eventFilter(search).filter}
      fields={[
        { label: 'Type', name: 'type', options: types.map((type) => [type, type]) },
        { label: 'Resource', name: 'resource', placeholder: '0x… or chain:vault' },
        { label: 'Endpoint id', name: 'endpoint' },
      ]}
    />
  )
}

/** The fields that name the resource of an event. */
const RESOURCE_FIELDS = ['deposit_id', 'order_id', 'request_id', 'vault_id', 'endpoint_id'] as const

/** The columns of the event log; a click on the type shows the event whole. */
function eventColumns(show: (event: RecordedEvent) => void): readonly Column<RecordedEvent>[] {
  return [
    { header: 'Number', cell: ({ organizationSequence }) => organizationSequence },
    {
      header: 'Event',
      cell: (row) => (
        <button type="button" className="link" onClick={() => show(row)}>
          {row.event.type}
        </button>
      ),
    },
    {
      header: 'Resource',
      cell: ({ event }) => <span className="mono">{shortHex(resourceOf(event))}</span>,
    },
    { header: 'Recorded', cell: ({ event }) => <Time time={new Date(event.timestamp)} /> },
  ]
}

function resourceOf(event: RecordedEvent['event']): string {
  const fields: Record<string, unknown> = event
  const name = RESOURCE_FIELDS.find((field) => typeof fields[field] === 'string')
  return name ? String(fields[name]) : '–'
}
