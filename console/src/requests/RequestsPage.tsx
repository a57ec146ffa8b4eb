import { requestLogOptions, useList } from '@causeway/sdk/react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { LIVE_PAGES } from '../api/live.ts'
import { Card } from '../components/Card.tsx'
import { Choice } from '../components/Choice.tsx'
import { DataTable } from '../components/DataTable.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { MoreFoot } from '../components/MoreFoot.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { keyName } from '../keys/keyStatus.ts'
import { useKeys } from '../keys/useKeys.ts'
import { REQUEST_COLUMNS } from './requestColumns.tsx'
import { OUTCOMES, type RequestSearch, readRequestSearch, requestFilter } from './requestSearch.ts'

const route = getRouteApi('/console/requests')
const PAGE_SIZE = 100

/** The requests of the organization's keys. */
export function RequestsPage() {
  const search = route.useSearch()
  const params = { pageSize: PAGE_SIZE, ...requestFilter(search) }
  const query = useList(requestLogOptions, params, LIVE_PAGES)
  return (
    <Page
      title="Request log"
      about="What your keys asked in the last seven days, the newest first. Bodies are not kept."
    >
      <RequestFilters search={search} />
      <Card title="Requests" isFlush>
        <Answered query={query} rows={8}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No request fits">
                A call with one of your keys appears here within some seconds.
              </Empty>
            ) : (
              <>
                <DataTable
                  label="Requests"
                  rows={rows}
                  columns={REQUEST_COLUMNS}
                  keyOf={({ requestId, at }) => `${requestId} ${at.getTime()}`}
                />
                <MoreFoot noun="requests" count={rows.length} query={query} />
              </>
            )
          }
        </Answered>
      </Card>
    </Page>
  )
}

/** The filters of the request log. */
function RequestFilters({ search }: { search: RequestSearch }) {
  const navigate = useNavigate()
  const keys = useKeys().data?.rows ?? []
  const show = (next: RequestSearch) => void navigate({ to: '/console/requests', search: next })
  const set = (change: Record<string, string>) => show(readRequestSearch({ ...search, ...change }))
  return (
    <FilterForm
      filter={requestFilter(search).filter}
      fields={[
        { label: 'Route', name: 'route', value: search.route, placeholder: '/v2/earn/vaults' },
        { label: 'Request id', name: 'id', value: search.id },
      ]}
      onFilter={set}
      onClear={() => show({})}
    >
      <Choice
        name="Outcome"
        none="All"
        options={Object.entries(OUTCOMES)}
        value={search.outcome ?? ''}
        onChoose={(outcome) => set({ outcome })}
      />
      <Choice
        name="Key"
        none="All"
        options={keys.map((key) => [key.publicId, keyName(key)] as const)}
        value={search.key ?? ''}
        onChoose={(key) => set({ key })}
      />
    </FilterForm>
  )
}
