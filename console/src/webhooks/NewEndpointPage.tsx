import { createWebhookEndpoint, pingWebhookEndpoint } from '@causeway/sdk'
import { webhookEndpointsOptions } from '@causeway/sdk/react'
import { Link } from '@tanstack/react-router'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Card } from '../components/Card.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Page } from '../components/Page.tsx'
import { ReadOnly } from '../components/ReadOnly.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { SecretText } from '../components/SecretText.tsx'
import { EndpointWizard } from './EndpointWizard.tsx'
import { type EndpointDraft, endpointParameters, NEW_ENDPOINT } from './endpointDraft.ts'

/** Registers a webhook endpoint, and shows its secret once. */
export function NewEndpointPage() {
  const create = useProvenChange(
    (api, draft: EndpointDraft) => createWebhookEndpoint(api, endpointParameters(draft)),
    [webhookEndpointsOptions],
  )
  return (
    <Page title="Add an endpoint">
      {create.data ? (
        <Created endpointId={create.data.endpoint.id} secret={create.data.secret} />
      ) : (
        <ReadOnly permission="webhooks">
          <EndpointWizard
            first={NEW_ENDPOINT}
            action="Add the endpoint"
            isPending={create.isPending}
            error={create.error}
            onDone={(draft) => create.mutate(draft)}
          />
        </ReadOnly>
      )}
    </Page>
  )
}

function Created({ endpointId, secret }: { endpointId: string; secret: string }) {
  const ping = useProvenChange((api) => pingWebhookEndpoint(api, { endpointId }), [])
  return (
    <Card title="The endpoint is added">
      <div className="stack">
        <p>
          <strong>Give this signing secret to your server now: it is not shown again.</strong> With
          it, your server verifies that a webhook comes from here.{' '}
          <a href="/docs/webhooks#verify">How to verify</a>
        </p>
        <SecretText text={secret} of="signing secret" />
        <Refusal error={ping.error} />
        {ping.isSuccess && (
          <p className="note good" role="status">
            A ping is on its way. The endpoint's page shows what became of it.
          </p>
        )}
        <div className="page-actions">
          <ChangeButton
            permission="webhooks"
            disabled={ping.isPending}
            onClick={() => ping.mutate(undefined)}
          >
            Send a ping
          </ChangeButton>
          <Link
            to="/console/webhooks/$endpointId"
            params={{ endpointId }}
            className="button primary"
          >
            To the endpoint
          </Link>
        </div>
      </div>
    </Card>
  )
}
