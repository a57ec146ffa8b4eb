import { type components, listCompleteAuditLog } from '@causeway/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { readAll } from '../api/readAll.ts'
import { LIVE_MS, useApi } from '../api/useApi.ts'
import { timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { auditFilter } from './auditSearch.ts'

type Action = components['schemas']['LoggedAction']

const route = getRouteApi('/console/admin/audit')

/** Who changed what, in all organizations, for operators. */
export function AuditPage() {
  const search = route.useSearch()
  const filter = auditFilter(search)
  const query = useApi(
    (connection, options) =>
      readAll(
        listCompleteAuditLog(connection, { pageSize: 100, ...(filter ? { filter } : {}) }, options),
        'actions',
      ),
    { key: ['complete audit log', filter], every: LIVE_MS },
  )
  return (
    <Page
      title="Complete audit log"
      about="Who changed what, and when. Nothing is ever removed from it."
    >
      <ListCard
        title="Changes"
        query={query}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        filters={<AuditFilters search={search} />}
        none="No change fits"
      />
    </Page>
  )
}

const COLUMNS: readonly Column<Action>[] = [
  timeColumn({ id: 'time', header: 'Time' }, ({ createdAt }) => createdAt),
  {
    id: 'actor',
    header: 'Who',
    cell: ({ actor, actorName }) =>
      actorName ? (
        <>
          {actorName} <span className="muted">{actor.split(':')[0]}</span>
        </>
      ) : (
        <code>{actor}</code>
      ),
  },
  { id: 'action', header: 'Action', cell: ({ action }) => <code>{action}</code> },
  { id: 'subject', header: 'Of', cell: ({ subject }) => <span className="mono">{subject}</span> },
  {
    id: 'details',
    header: 'Details',
    cell: ({ details }) => {
      const text = JSON.stringify(details)
      return text === '{}' ? '' : <code>{text}</code>
    },
  },
]
