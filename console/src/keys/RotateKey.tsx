import { rotateApiKey } from '@causeway/sdk'
import { useState } from 'react'
import { useChange } from '../api/useChange.ts'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { OVERLAPS } from '../developers/overlaps.ts'
import { type ApiKey, keyName } from './keyStatus.ts'
import { NewKey } from './NewKey.tsx'
import { API_KEYS } from './useKeys.ts'

/** Replaces a key by a new one, and shows the new secret once. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState('86400')
  const { publicId } = apiKey
  const rotate = useChange(
    (api) => rotateApiKey(api, { publicId, overlapSeconds: Number(overlap) }),
    { changes: [API_KEYS] },
  )
  if (rotate.data) return <NewKey secret={rotate.data.secret} onClose={onClose} />
  return (
    <ConfirmDialog
      title={`Rotate ${keyName(apiKey)}`}
      about="A new key with the same name and permissions works at once. The present one works until the overlap ends."
      action="Make the new key"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(undefined)}
      onClose={onClose}
    >
      <div className="dialog-part">
        <Choice
          name="The present key works for"
          options={OVERLAPS}
          value={overlap}
          onChoose={setOverlap}
        />
      </div>
    </ConfirmDialog>
  )
}
