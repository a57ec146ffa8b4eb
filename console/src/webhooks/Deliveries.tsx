import { useList, webhookDeliveriesOptions } from '@causeway/sdk/react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { LIVE_PAGES } from '../api/live.ts'
import { StatusBadge } from '../components/Badge.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import type { Column } from '../components/DataTable.tsx'
import { FilterForm, statusOptions } from '../components/FilterForm.tsx'
import { PagedCard } from '../components/ListCard.tsx'
import { Time } from '../components/Time.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { sentence } from '../format/sentence.ts'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { type DeliverySearch, deliveryFilter } from './deliverySearch.ts'
import { ResendMany } from './ResendMany.tsx'
import { useEventCatalogue } from './useEventCatalogue.ts'
import { DELIVERY_STATUS, type Delivery, deliveryStatus } from './webhookStatus.ts'

const route = getRouteApi('/console/webhooks/$endpointId')
const PAGE_SIZE = 50

/** The deliveries of an endpoint, the newest event first. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const [isResending, setResending] = useState(false)
  const catalogue = useEventCatalogue().data ?? []
  const query = useList(
    webhookDeliveriesOptions,
    { endpointId, pageSize: PAGE_SIZE, ...deliveryFilter(search) },
    LIVE_PAGES,
  )
  const show = (event: string | undefined) => {
    const next = { ...search, event } as DeliverySearch
    const to = '/console/webhooks/$endpointId'
    void navigate({ to, params: { endpointId }, search: next, replace: true })
  }
  return (
    <PagedCard
      title="Deliveries"
      query={query}
      noun="deliveries"
      columns={deliveryColumns(show)}
      keyOf={({ eventId }) => eventId}
      none="No delivery fits"
      advice="Events that the endpoint selects appear here by themselves. Send a ping to try it."
      actions={
        <ChangeButton permission="webhooks" isSmall onClick={() => setResending(true)}>
          Send several again
        </ChangeButton>
      }
    >
      <div className="card-part">
        <FilterForm
          search={search}
          filter={deliveryFilter(search).filter}
          fields={[
            { label: 'Status', name: 'status', options: statusOptions(DELIVERY_STATUS) },
            { label: 'Type', name: 'type', options: catalogue.map(({ type }) => [type, type]) },
          ]}
        />
      </div>
      {search.event && (
        <DeliveryDialog
          endpointId={endpointId}
          eventId={search.event}
          onClose={() => show(undefined)}
        />
      )}
      {isResending && <ResendMany endpointId={endpointId} onClose={() => setResending(false)} />}
    </PagedCard>
  )
}

/** The columns of deliveries; a click on the type shows one whole. */
function deliveryColumns(show: (eventId: string) => void): readonly Column<Delivery>[] {
  return [
    {
      header: 'Event',
      cell: ({ eventId, eventType }) => (
        <button type="button" className="link" onClick={() => show(eventId)}>
          {eventType}
        </button>
      ),
    },
    { header: 'Status', cell: (delivery) => <StatusBadge status={deliveryStatus(delivery)} /> },
    { header: 'Last answer', cell: (delivery) => <LastAnswer delivery={delivery} /> },
    { header: 'Attempts', isNumber: true, cell: ({ attempts }) => formatCount(attempts) },
    {
      header: 'Next attempt',
      cell: ({ nextAttemptAt }) => (nextAttemptAt ? <Time time={nextAttemptAt} /> : '–'),
    },
    { header: 'Recorded', cell: ({ createdAt }) => <Time time={createdAt} /> },
  ]
}

function LastAnswer({ delivery: { lastStatus, lastError } }: { delivery: Delivery }) {
  if (lastStatus === null && lastError === null) return '–'
  return <span className="clip">{sentence(lastError ?? `answered ${lastStatus}`)}</span>
}
