import { listRequestLog } from '@causeway/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { usePages } from '../api/usePages.ts'
import { Card } from '../components/Card.tsx'
import { DataTable } from '../components/DataTable.tsx'
import { MoreFoot } from '../components/MoreFoot.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { RequestFilters } from './RequestFilters.tsx'
import { REQUEST_COLUMNS } from './requestColumns.tsx'
import { requestFilter } from './requestSearch.ts'

const route = getRouteApi('/console/requests')
const PAGE_SIZE = 100

/** The requests of the organization's keys. */
export function RequestsPage() {
  const search = route.useSearch()
  const filter = requestFilter(search)
  const query = usePages(
    (api, place, options) =>
      listRequestLog(api, { pageSize: PAGE_SIZE, ...filter, ...place }, options).page(),
    { key: ['requests', filter] },
  )
  const rows = (query.data?.pages ?? []).flatMap(({ requests }) => requests)
  return (
    <Page
      title="Request log"
      about="What your keys asked in the last seven days, the newest first. Bodies are not kept."
    >
      <RequestFilters search={search} />
      <Card title="Requests" isFlush>
        <Answered query={query} rows={8}>
          {() =>
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
