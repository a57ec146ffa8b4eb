import { createApiKey } from '@causeway/sdk'
import { apiKeysOptions } from '@causeway/sdk/react'
import { useState } from 'react'
import { useProvenChange } from '../api/useProvenChange.ts'
import { Check } from '../components/Check.tsx'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { FormDialog } from '../components/FormDialog.tsx'
import { endOf, KEY_PERMISSIONS, type KeyPermission, LIFETIMES } from './keyStatus.ts'
import { NewKey } from './NewKey.tsx'

/** Makes a key with a name, permissions and an end, and shows its secret once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [permissions, setPermissions] = useState<readonly KeyPermission[]>(['earn:read'])
  const [lifetime, setLifetime] = useState('')
  const create = useProvenChange(
    (api, name: string) =>
      createApiKey(api, { name, permissions: [...permissions], ...endOf(lifetime) }),
    [apiKeysOptions],
  )
  if (create.data) return <NewKey secret={create.data.secret} onClose={onClose} />
  const choose = (permission: KeyPermission, isChosen: boolean) =>
    setPermissions([
      ...permissions.filter((one) => one !== permission),
      ...(isChosen ? [permission] : []),
    ])
  return (
    <FormDialog
      title="Make a key"
      action="Make the key"
      change={create}
      onSubmit={(text) => create.mutate(text('name').trim())}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        maxLength={100}
        hint="The program that will use it."
        autoComplete="off"
        required
      />
      <fieldset>
        <legend>Permissions</legend>
        {KEY_PERMISSIONS.map(([permission, about]) => (
          <Check
            key={permission}
            label={permission}
            about={about}
            checked={permissions.includes(permission)}
            onChange={({ target }) => choose(permission, target.checked)}
          />
        ))}
        <p className="muted">Transit and the catalogue need none.</p>
      </fieldset>
      <Choice name="It ends" options={LIFETIMES} value={lifetime} onChoose={setLifetime} />
    </FormDialog>
  )
}
