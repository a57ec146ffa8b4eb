import { requestLogOptions, useList } from '@causeway/sdk/react'
import { getRouteApi } from '@tanstack/react-router'
import { LIVE_PAGES } from '../api/live.ts'
import { FilterForm } from '../components/FilterForm.tsx'
import { PagedCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { keyName } from '../keys/keyStatus.ts'
import { useKeys } from '../keys/useKeys.ts'
import { REQUEST_COLUMNS } from './requestColumns.tsx'
import { OUTCOMES, type RequestSearch, requestFilter } from './requestSearch.ts'

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
      <PagedCard
        title="Requests"
        query={query}
        noun="requests"
        columns={REQUEST_COLUMNS}
        keyOf={({ requestId, at }) => `${requestId} ${at.getTime()}`}
        none="No request fits"
        advice="A call with one of your keys appears here within some seconds."
      />
    </Page>
  )
}

/** The filters of the request log. */
function RequestFilters({ search }: { search: RequestSearch }) {
  const keys = useKeys().data?.rows ?? []
  return (
    <FilterForm
      search={search}
      filter={requestFilter(search).filter}
      fields={[
        { label: 'Outcome', name: 'outcome', options: Object.entries(OUTCOMES) },
        { label: 'Key', name: 'key', options: keys.map((key) => [key.publicId, keyName(key)]) },
        { label: 'Route', name: 'route', placeholder: '/v2/earn/vaults' },
        { label: 'Request id', name: 'id' },
      ]}
    />
  )
}
