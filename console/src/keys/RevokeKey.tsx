import { revokeApiKey } from '@causeway/sdk'
import { useChange } from '../api/useChange.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { type ApiKey, keyName } from './keyStatus.ts'
import { API_KEYS } from './useKeys.ts'

/** Ends a key at once and for good. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { publicId } = apiKey
  const revoke = useChange((api) => revokeApiKey(api, { publicId }), {
    changes: [API_KEYS],
    onSuccess: onClose,
  })
  return (
    <ConfirmDialog
      title={`Revoke ${keyName(apiKey)}?`}
      about="Within five seconds it is refused everywhere. It cannot be made valid again."
      action="Revoke"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined)}
      onClose={onClose}
    />
  )
}
