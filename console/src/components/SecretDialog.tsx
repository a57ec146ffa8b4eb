import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { ModalDialog } from './ModalDialog.tsx'
import { SecretText } from './SecretText.tsx'

type Props = {
  title: string
  about: ReactNode
  /** The noun for screen readers, such as `API key`. */
  of: string
  secret: string
  onClose: () => void
  children?: ReactNode
}

/** Shows a secret that no later answer has. */
export function SecretDialog({ title, about, of, secret, onClose, children }: Props) {
  return (
    <ModalDialog title={title} about={about} onClose={onClose}>
      <div className="dialog-part">
        <SecretText text={secret} of={of} />
      </div>
      {children}
      <div className="dialog-actions">
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </ModalDialog>
  )
}
