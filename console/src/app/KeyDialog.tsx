import { Dialog } from 'radix-ui'
import { type FormEvent, useState } from 'react'
import { useAccess } from '../api/connectionContext.tsx'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { Icon } from '../components/Icon.tsx'
import { takeTexts } from '../components/takeTexts.ts'

/** Takes an API key for this page. */
export function KeyDialog() {
  const { apiKey, setApiKey } = useAccess()
  const [isOpen, setOpen] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setApiKey(takeTexts(event)('apiKey').trim() || null)
    setOpen(false)
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="button">
        <Icon name="key" />
        {apiKey ? 'API key in use' : 'Use an API key'}
      </Dialog.Trigger>
      <Dialog.Portal>
        <div className="backdrop" />
        <Dialog.Content className="dialog" onCloseAutoFocus={(event) => event.preventDefault()}>
          <Dialog.Title>API key</Dialog.Title>
          <Dialog.Description className="muted">
            It stays in the memory of this page and is forgotten when you close it.
          </Dialog.Description>
          <form onSubmit={submit}>
            <Field
              label="Key"
              name="apiKey"
              type="password"
              autoComplete="off"
              placeholder="causeway_…"
            />
            <div className="dialog-actions">
              <Dialog.Close className="button">Cancel</Dialog.Close>
              {apiKey && <Button onClick={() => setApiKey(null)}>Forget it</Button>}
              <Button type="submit" look="primary">
                Use it
              </Button>
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
