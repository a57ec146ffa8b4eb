import { useRead, webhookEndpointOptions } from '@causeway/sdk/react'
import { getRouteApi } from '@tanstack/react-router'
import { LIVE } from '../api/live.ts'
import { StatusBadge } from '../components/Badge.tsx'
import { Page } from '../components/Page.tsx'
import { Answered } from '../components/states.tsx'
import { Deliveries } from './Deliveries.tsx'
import { DeliveryFigures } from './DeliveryFigures.tsx'
import { EndpointActions } from './EndpointActions.tsx'
import { EndpointFacts } from './EndpointFacts.tsx'
import { ReplayCard } from './ReplayCard.tsx'
import { endpointStatus } from './webhookStatus.ts'

const route = getRouteApi('/console/webhooks/$endpointId')

/** One webhook endpoint, and what was sent to it. */
export function EndpointPage() {
  const { endpointId } = route.useParams()
  const query = useRead(webhookEndpointOptions, { endpointId }, LIVE)
  const endpoint = query.data
  return (
    <Page
      title={endpoint ? new URL(endpoint.url).host : 'Webhook endpoint'}
      about={
        endpoint && (
          <span className="badges">
            <StatusBadge status={endpointStatus(endpoint)} />
            {endpoint.description}
          </span>
        )
      }
      actions={endpoint && <EndpointActions endpoint={endpoint} />}
    >
      <Answered query={query}>
        {(found) => (
          <>
            <EndpointFacts endpoint={found} />
            <DeliveryFigures endpointId={endpointId} />
            <ReplayCard endpointId={endpointId} />
            <Deliveries endpointId={endpointId} />
          </>
        )}
      </Answered>
    </Page>
  )
}
