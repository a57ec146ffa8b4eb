import { renameApiKey, revokeApiKey, rotateApiKey } from '@causeway/sdk'
import { apiKeysOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Card } from '../components/Card.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { DataTable } from '../components/DataTable.tsx'
import { Field } from '../components/Field.tsx'
import { Icon } from '../components/Icon.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
import { Page } from '../components/Page.tsx'
import { Refusal } from '../components/Refusal.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { OVERLAPS } from '../developers/overlaps.ts'
import { CreateKey } from './CreateKey.tsx'
import { type KeyAction, keyColumns } from './keyColumns.tsx'
import { type ApiKey, keyName } from './keyStatus.ts'
import { NewKey } from './NewKey.tsx'
import { useKeys } from './useKeys.ts'

type Open = { action: KeyAction; apiKey: ApiKey } | { action: 'create' } | null

/** The API keys of the organization. */
export function KeysPage() {
  const query = useKeys()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const columns = keyColumns((action, apiKey) => setOpen({ action, apiKey }))
  return (
    <Page
      title="API keys"
      about="A program sends a key in the header x-api-key. Its secret is shown once, when it is made."
      actions={
        <ChangeButton
          permission="keys"
          className="button primary"
          onClick={() => setOpen({ action: 'create' })}
        >
          <Icon name="plus" />
          Make a key
        </ChangeButton>
      }
    >
      <Card title="Keys" isFlush>
        <Answered query={query}>
          {({ rows, hasMore }) =>
            rows.length === 0 ? (
              <Empty title="No key yet">Make the first one, for a program of yours.</Empty>
            ) : (
              <>
                <DataTable
                  label="API keys"
                  rows={rows}
                  columns={columns}
                  keyOf={({ publicId }) => publicId}
                />
                <CutNote hasMore={hasMore} count={rows.length} />
              </>
            )
          }
        </Answered>
      </Card>
      {open?.action === 'create' && <CreateKey onClose={close} />}
      {open?.action === 'rename' && <RenameKey apiKey={open.apiKey} onClose={close} />}
      {open?.action === 'rotate' && <RotateKey apiKey={open.apiKey} onClose={close} />}
      {open?.action === 'revoke' && <RevokeKey apiKey={open.apiKey} onClose={close} />}
    </Page>
  )
}

/** Gives a key another name. */
function RenameKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { publicId } = apiKey
  const rename = useProvenChange(
    (api, name: string) => renameApiKey(api, { publicId, name }),
    [apiKeysOptions],
    { onSuccess: onClose },
  )
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

/** Replaces a key by a new one, and shows the new secret once. */
function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [overlap, setOverlap] = useState('86400')
  const { publicId } = apiKey
  const rotate = useProvenChange(
    (api) => rotateApiKey(api, { publicId, overlapSeconds: Number(overlap) }),
    [apiKeysOptions],
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

/** Ends a key at once and for good. */
function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { publicId } = apiKey
  const revoke = useProvenChange((api) => revokeApiKey(api, { publicId }), [apiKeysOptions], {
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
