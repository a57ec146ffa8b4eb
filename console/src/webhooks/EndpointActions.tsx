import {
  deleteWebhookEndpoint,
  pingWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '@causeway/sdk'
import {
  webhookDeliveriesOptions,
  webhookEndpointOptions,
  webhookEndpointsOptions,
} from '@causeway/sdk/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { SecretDialog } from '../components/SecretDialog.tsx'
import { OVERLAPS } from '../keys/overlaps.ts'
import { useEventCatalogue } from './useEventCatalogue.ts'
import type { Endpoint } from './webhookStatus.ts'

const AFFECTED = [webhookEndpointOptions, webhookEndpointsOptions, webhookDeliveriesOptions]

/** The buttons for an endpoint: ping, test, rotate, enable, delete. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { id: endpointId, status } = endpoint
  const navigate = useNavigate()
  const [open, setOpen] = useState<'rotate' | 'delete' | 'test' | null>(null)
  const ping = useProvenChange((api) => pingWebhookEndpoint(api, { endpointId }), AFFECTED)
  const change = useProvenChange(
    (api) =>
      updateWebhookEndpoint(api, {
        endpointId,
        status: status === 'ENABLED' ? 'DISABLED' : 'ENABLED',
      }),
    AFFECTED,
  )
  const remove = useProvenChange(
    (api) => deleteWebhookEndpoint(api, { endpointId }),
    [webhookEndpointsOptions],
    { onSuccess: () => void navigate({ to: '/console/webhooks' }) },
  )
  const edit = () =>
    void navigate({ to: '/console/webhooks/$endpointId/edit', params: { endpointId } })
  return (
    <>
      <ChangeButton
        permission="webhooks"
        disabled={ping.isPending || status === 'DISABLED'}
        onClick={() => ping.mutate(undefined)}
      >
        Send a ping
      </ChangeButton>
      <ChangeButton
        permission="webhooks"
        disabled={status === 'DISABLED'}
        onClick={() => setOpen('test')}
      >
        Send a test
      </ChangeButton>
      <ChangeButton permission="webhooks" onClick={edit}>
        Edit
      </ChangeButton>
      <ChangeButton permission="webhooks" onClick={() => setOpen('rotate')}>
        Rotate the secret
      </ChangeButton>
      <ChangeButton
        permission="webhooks"
        disabled={change.isPending}
        onClick={() => change.mutate(undefined)}
      >
        {status === 'ENABLED' ? 'Disable' : 'Enable'}
      </ChangeButton>
      <ChangeButton permission="webhooks" onClick={() => setOpen('delete')}>
        Delete
      </ChangeButton>
      <Refusal error={ping.error ?? change.error} />
      {open === 'rotate' && <RotateSecret endpointId={endpointId} onClose={() => setOpen(null)} />}
      {open === 'test' && <SendTest endpointId={endpointId} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this endpoint?"
          about="Its secrets and its deliveries are deleted too. The events stay in the event log."
          action="Delete"
          change={remove}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

/** Sends an example of a type of event to an endpoint. */
function SendTest({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const catalogue = useEventCatalogue().data ?? []
  const [type, setType] = useState('smart_deposit.deposit.finalized')
  const test = useProvenChange(
    (api) => testWebhookEndpoint(api, { endpointId, type }),
    [webhookDeliveriesOptions],
    { onSuccess: onClose },
  )
  return (
    <ConfirmDialog
      title="Send a test"
      about="An example with all its fields and is_test: true. Your server must not act on it."
      action="Send"
      change={test}
      onClose={onClose}
    >
      <Choice
        name="Type"
        options={catalogue.map((one) => [one.type, one.type] as const)}
        value={type}
        onChoose={setType}
      />
    </ConfirmDialog>
  )
}

/** Makes a new signing secret, and shows it once. */
function RotateSecret({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useProvenChange(
    (api) => rotateWebhookSecret(api, { endpointId, overlapSeconds: Number(overlap) }),
    [webhookEndpointOptions],
  )
  if (rotate.data)
    return (
      <SecretDialog
        title="The new signing secret"
        about="Give it to your server now: it is not shown again."
        of="signing secret"
        secret={rotate.data.secret}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title="Rotate the secret"
      about="A new secret signs at once. Until the overlap ends, the present one signs too, so that your server can change over."
      action="Make a new secret"
      change={rotate}
      onClose={onClose}
    >
      <Choice
        name="The present secret signs for"
        options={OVERLAPS}
        value={overlap}
        onChoose={setOverlap}
      />
    </ConfirmDialog>
  )
}
