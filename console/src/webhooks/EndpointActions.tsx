import { deleteWebhookEndpoint, pingWebhookEndpoint, updateWebhookEndpoint } from '@causeway/sdk'
import {
  webhookDeliveriesOptions,
  webhookEndpointOptions,
  webhookEndpointsOptions,
} from '@causeway/sdk/react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { SendTest } from './SendTest.tsx'
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
