import type { components } from '@causeway/sdk'
import { auditLogOptions, completeAuditLogOptions, useList } from '@causeway/sdk/react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { LIVE_PAGES } from '../api/live.ts'
import { Card } from '../components/Card.tsx'
import { Choice } from '../components/Choice.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { MoreFoot } from '../components/MoreFoot.tsx'
import { Page } from '../components/Page.tsx'
import { ShortText } from '../components/ShortText.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Time } from '../components/Time.tsx'
import { type AuditSearch, actionsOf, auditFilter, readAuditSearch } from './auditSearch.ts'

const PAGE_SIZE = 100

type LoggedAction = components['schemas']['LoggedAction']

/** Every change in the organization: who, what, when. */
export function AuditPage() {
  const search = useSearch({ from: '/console/audit' })
  return (
    <AuditLog
      title="Audit log"
      about="Every change of keys, members and webhooks, the newest first. It is kept for ever."
      search={search}
      query={useList(auditLogOptions, parametersOf(search), LIVE_PAGES)}
      isComplete={false}
    />
  )
}

/** Every change in all organizations and of the installation, for operators. */
export function CompleteAuditPage() {
  const search = useSearch({ from: '/console/admin/audit' })
  return (
    <AuditLog
      title="Complete audit log"
      about="Every change in all organizations and of the installation, the newest first. It is kept for ever."
      search={search}
      query={useList(completeAuditLogOptions, parametersOf(search), LIVE_PAGES)}
      isComplete
    />
  )
}

function parametersOf(search: AuditSearch) {
  return { pageSize: PAGE_SIZE, ...auditFilter(search) }
}

type LogProps = {
  title: string
  about: string
  search: AuditSearch
  query: UseInfiniteQueryResult<LoggedAction[]>
  isComplete: boolean
}

function AuditLog({ title, about, search, query, isComplete }: LogProps) {
  return (
    <Page title={title} about={about}>
      <AuditFilters search={search} isComplete={isComplete} />
      <Card title="Changes" isFlush>
        <Answered query={query} rows={8}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No change fits" />
            ) : (
              <>
                <DataTable label={title} rows={rows} columns={COLUMNS} keyOf={({ id }) => id} />
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
  { id: 'action', header: 'Action', cell: ({ action }) => <code>{action}</code> },
  {
    id: 'actor',
    header: 'Actor',
    cell: ({ actor, actorName }) =>
      actorName ? (
        <>
          {actorName}
          <span className="under">
            <ShortText text={actor} of="actor" />
          </span>
        </>
      ) : (
        <ShortText text={actor} of="actor" />
      ),
  },
  {
    id: 'subject',
    header: 'Resource',
    cell: ({ subject }) => <ShortText text={subject} of="resource" />,
  },
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

type AuditFiltersProps = { search: AuditSearch; isComplete: boolean }

/** The filters of an audit log. */
function AuditFilters({ search, isComplete }: AuditFiltersProps) {
  const navigate = useNavigate()
  const show = (next: AuditSearch) =>
    void navigate({ to: isComplete ? '/console/admin/audit' : '/console/audit', search: next })
  const set = (change: Record<string, string>) => show(readAuditSearch({ ...search, ...change }))
  const organization = {
    label: 'Organization id',
    name: 'organization',
    value: search.organization,
  }
  return (
    <FilterForm
      filter={auditFilter(search).filter}
      fields={[
        {
          label: 'Actor',
          name: 'actor',
          value: search.actor,
          placeholder: 'member:… or key:…',
        },
        { label: 'Resource', name: 'subject', value: search.subject },
        ...(isComplete ? [organization] : []),
      ]}
      onFilter={set}
      onClear={() => show({})}
    >
      <Choice
        name="Action"
        none="All"
        options={actionsOf(isComplete).map((action) => [action, action] as const)}
        value={search.action ?? ''}
        onChoose={(action) => set({ action })}
      />
    </FilterForm>
  )
}
