import { type components, listAuditLog } from '@causeway/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { usePages } from '../api/usePages.ts'
import { Card } from '../components/Card.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { MoreFoot } from '../components/MoreFoot.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { auditFilter } from './auditSearch.ts'

const route = getRouteApi('/console/audit')
const PAGE_SIZE = 100

type LoggedAction = components['schemas']['LoggedAction']

/** Every change in the organization: who, what, when. */
export function AuditPage() {
  const search = route.useSearch()
  const filter = auditFilter(search)
  const query = usePages(
    (api, place, options) =>
      listAuditLog(api, { pageSize: PAGE_SIZE, ...filter, ...place }, options).page(),
    { key: ['audit log', filter] },
  )
  const rows = (query.data?.pages ?? []).flatMap(({ actions }) => actions)
  return (
    <Page
      title="Audit log"
      about="Every change of keys, members and webhooks, the newest first. It is kept for ever."
    >
      <AuditFilters search={search} />
      <Card title="Changes" isFlush>
        <Answered query={query} rows={8}>
          {() =>
            rows.length === 0 ? (
              <Empty title="No change fits" />
            ) : (
              <>
                <DataTable label="Audit log" rows={rows} columns={COLUMNS} keyOf={({ id }) => id} />
                <MoreFoot noun="changes" count={rows.length} query={query} />
              </>
            )
          }
        </Answered>
      </Card>
    </Page>
  )
}

const COLUMNS: readonly Column<LoggedAction>[] = [
  { id: 'time', header: 'Time', cell: ({ createdAt }) => <Time time={createdAt} /> },
  { id: 'action', header: 'Change', cell: ({ action }) => <code>{action}</code> },
  {
    id: 'actor',
    header: 'By',
    cell: ({ actor, actorName }) =>
      actorName ? (
        <>
          {actorName} <span className="muted clip">{actor}</span>
        </>
      ) : (
        actor
      ),
  },
  { id: 'subject', header: 'Of', cell: ({ subject }) => <span className="clip">{subject}</span> },
  {
    id: 'details',
    header: 'Details',
    cell: ({ details }) => {
      const text = Object.entries(details).map(([name, value]) => `${name}: ${textOf(value)}`)
      return <span className="wrap muted">{text.join(', ') || '–'}</span>
    },
  },
]

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
