import { updateWebhookEndpoint } from '@causeway/sdk'
import { useRead, webhookEndpointOptions, webhookEndpointsOptions } from '@causeway/sdk/react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Page } from '../components/Page.tsx'
import { ReadOnly } from '../components/ReadOnly.tsx'
import { Answered } from '../components/states.tsx'
import { EndpointWizard } from './EndpointWizard.tsx'
import { draftOf, type EndpointDraft, endpointParameters } from './endpointDraft.ts'

const route = getRouteApi('/console/webhooks/$endpointId/edit')

/** Changes a webhook endpoint. */
export function EditEndpointPage() {
  const { endpointId } = route.useParams()
  const navigate = useNavigate()
  const query = useRead(webhookEndpointOptions, { endpointId })
  const change = useProvenChange(
    (api, draft: EndpointDraft) =>
      updateWebhookEndpoint(api, { endpointId, ...endpointParameters(draft) }),
    [webhookEndpointOptions, webhookEndpointsOptions],
    {
      onSuccess: () =>
        void navigate({ to: '/console/webhooks/$endpointId', params: { endpointId } }),
    },
  )
  return (
    <Page title="Edit the endpoint">
      <ReadOnly permission="webhooks">
        <Answered query={query}>
          {(endpoint) => (
            <EndpointWizard
              first={draftOf(endpoint)}
              action="Save"
              isPending={change.isPending}
              error={change.error}
              onDone={(draft) => change.mutate(draft)}
            />
          )}
        </Answered>
      </ReadOnly>
    </Page>
  )
}
