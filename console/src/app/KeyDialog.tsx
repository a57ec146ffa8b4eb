import { type FormEvent, useState } from 'react'
import { useAccess } from '../api/connectionContext.tsx'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { Icon } from '../components/Icon.tsx'
import { ModalDialog } from '../components/ModalDialog.tsx'
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
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="key" />
        {apiKey ? 'API key in use' : 'Use an API key'}
      </Button>
      {isOpen && (
        <ModalDialog
          title="API key"
          about="It stays in the memory of this page and is forgotten when you close it."
          onClose={() => setOpen(false)}
        >
          <form onSubmit={submit}>
            <Field
              label="Key"
              name="apiKey"
              type="password"
              autoComplete="off"
              placeholder="causeway_…"
            />
            <div className="dialog-actions">
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              {apiKey && <Button onClick={() => setApiKey(null)}>Forget it</Button>}
              <Button type="submit" look="primary">
                Use it
              </Button>
            </div>
          </form>
        </ModalDialog>
      )}
    </>
  )
}
