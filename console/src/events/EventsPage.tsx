import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccess } from '../api/connectionContext.tsx'
import { LIVE_MS } from '../api/useApi.ts'
import { Card } from '../components/Card.tsx'
import { DataTable } from '../components/DataTable.tsx'
import { JsonText } from '../components/JsonText.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { MoreFoot } from '../components/MoreFoot.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { EventFilters } from './EventFilters.tsx'
import { eventColumns } from './eventColumns.tsx'
import { eventFilter } from './eventSearch.ts'
import { type RecordedEvent, readWindow } from './readWindow.ts'

const route = getRouteApi('/console/events')

/** Every event of the organization, whether it was delivered or not. */
export function EventsPage() {
  const search = route.useSearch()
  const { connection } = useAccess()
  const [shown, setShown] = useState<RecordedEvent | null>(null)
  const filter = eventFilter(search)
  const query = useInfiniteQuery({
    queryKey: ['events', filter],
    queryFn: ({ pageParam, signal }) =>
      readWindow(connection, { end: pageParam, ...filter }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ before }) => before,
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : LIVE_MS),
  })
  const rows = (query.data?.pages ?? []).flatMap(({ events }) => events)
  return (
    <Page
      title="Event log"
      about="Every event of your organization, delivered or not, the newest first. A program reads it by number, without gaps."
    >
      <EventFilters search={search} />
      <Card title="Events" isFlush>
        <Answered query={query} rows={8}>
          {() => (
            <>
              {rows.length === 0 ? (
                <Empty title="No event fits">
                  Events of smart deposits are always recorded; others while an endpoint selects
                  them.
                </Empty>
              ) : (
                <DataTable
                  label="Events"
                  rows={rows}
                  columns={eventColumns(setShown)}
                  keyOf={({ organizationSequence }) => organizationSequence}
                />
              )}
              {(rows.length > 0 || query.hasNextPage) && (
                <MoreFoot noun="events" count={rows.length} query={query} />
              )}
            </>
          )}
        </Answered>
      </Card>
      {shown && (
        <ModalDialog title={shown.event.type} isWide onClose={() => setShown(null)}>
          <JsonText value={shown.event} of="event" />
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setShown(null)}>
              Close
            </button>
          </div>
        </ModalDialog>
      )}
    </Page>
  )
}
