import { testWebhookEndpoint } from '@causeway/sdk'
import { webhookDeliveriesOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { useEventCatalogue } from './useEventCatalogue.ts'

/** Sends an example of a type of event to an endpoint. */
export function SendTest({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
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
