import { rotateWebhookSecret } from '@causeway/sdk'
import { webhookEndpointOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { SecretDialog } from '../components/SecretDialog.tsx'
import { OVERLAPS } from '../keys/overlaps.ts'

/** Makes a new signing secret, and shows it once. */
export function RotateSecret({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
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
