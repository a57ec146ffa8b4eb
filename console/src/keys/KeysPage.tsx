import { renameApiKey, revokeApiKey, rotateApiKey } from '@causeway/sdk'
import { apiKeysOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { Choice } from '../components/Choice.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { Field } from '../components/Field.tsx'
import { FormDialog } from '../components/FormDialog.tsx'
import { Icon } from '../components/Icon.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { CreateKey } from './CreateKey.tsx'
import { type KeyAction, keyColumns } from './keyColumns.tsx'
import { type ApiKey, keyName } from './keyStatus.ts'
import { NewKey } from './NewKey.tsx'
import { OVERLAPS } from './overlaps.ts'
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
          look="primary"
          onClick={() => setOpen({ action: 'create' })}
        >
          <Icon name="plus" />
          Make a key
        </ChangeButton>
      }
    >
      <ListCard
        title="Keys"
        label="API keys"
        query={query}
        columns={columns}
        keyOf={({ publicId }) => publicId}
        none="No key yet"
        advice="Make the first one, for a program of yours."
      />
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
    <FormDialog
      title={`Rename ${keyName(apiKey)}`}
      action="Rename"
      change={rename}
      onSubmit={(text) => rename.mutate(text('name').trim())}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        maxLength={100}
        defaultValue={apiKey.name}
        autoComplete="off"
        required
      />
    </FormDialog>
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
      change={rotate}
      onClose={onClose}
    >
      <Choice
        name="The present key works for"
        options={OVERLAPS}
        value={overlap}
        onChoose={setOverlap}
      />
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
      change={revoke}
      onClose={onClose}
    />
  )
}
