import type { components } from '@causeway/sdk'
import { auditLogOptions, completeAuditLogOptions, useList } from '@causeway/sdk/react'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { LIVE_PAGES } from '../api/live.ts'
import type { Column } from '../components/DataTable.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { PagedCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { ShortText } from '../components/ShortText.tsx'
import { Time } from '../components/Time.tsx'
import { type AuditSearch, actionsOf, auditFilter } from './auditSearch.ts'

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
      <PagedCard
        title="Changes"
        label={title}
        query={query}
        noun="changes"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        none="No change fits"
      />
    </Page>
  )
}

const COLUMNS: readonly Column<LoggedAction>[] = [
  { header: 'Time', cell: ({ createdAt }) => <Time time={createdAt} /> },
  { header: 'Action', cell: ({ action }) => <code>{action}</code> },
  {
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
  { header: 'Resource', cell: ({ subject }) => <ShortText text={subject} of="resource" /> },
  {
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
  return (
    <FilterForm
      search={search}
      filter={auditFilter(search).filter}
      fields={[
        {
          label: 'Action',
          name: 'action',
          options: actionsOf(isComplete).map((action) => [action, action]),
        },
        { label: 'Actor', name: 'actor', placeholder: 'member:… or key:…' },
        { label: 'Resource', name: 'subject' },
        ...(isComplete ? [{ label: 'Organization id', name: 'organization' }] : []),
      ]}
    />
  )
}
