import { getWebhookEndpoint, updateWebhookEndpoint } from '@causeway/sdk'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useApi } from '../api/useApi.ts'
import { useChange } from '../api/useChange.ts'
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
  const query = useApi(
    (connection, options) => getWebhookEndpoint(connection, { endpointId }, options),
    { key: ['webhook endpoint', endpointId] },
  )
  const change = useChange(
    (api, draft: EndpointDraft) =>
      updateWebhookEndpoint(api, { endpointId, ...endpointParameters(draft) }),
    {
      changes: ['webhook endpoint', 'webhook endpoints'],
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
