import { renameApiKey } from '@causeway/sdk'
import { useChange } from '../api/useChange.ts'
import { Field } from '../components/Field.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { type ApiKey, keyName } from './keyStatus.ts'
import { API_KEYS } from './useKeys.ts'

/** Gives a key another name. */
export function RenameKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { publicId } = apiKey
  const rename = useChange((api, name: string) => renameApiKey(api, { publicId, name }), {
    changes: [API_KEYS],
    onSuccess: onClose,
  })
  return (
    <ModalDialog title={`Rename ${keyName(apiKey)}`} onClose={onClose}>
      <form onSubmit={(event) => rename.mutate(takeTexts(event)('name').trim())}>
        <Field
          label="Name"
          name="name"
          maxLength={100}
          defaultValue={apiKey.name}
          autoComplete="off"
          required
        />
        <Refusal error={rename.error} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={rename.isPending}>
            Rename
          </button>
        </div>
      </form>
    </ModalDialog>
  )
}
