import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { ModalDialog } from './ModalDialog.tsx'
import { Refusal } from './Refusal.tsx'

type Props = {
  title: string
  about: ReactNode
  /** The text of the button that does it. */
  action: string
  change: { isPending: boolean; error: unknown; mutate: (given: undefined) => void }
  onClose: () => void
  /** Choices that belong to it. */
  children?: ReactNode
}

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog({ title, about, action, change, onClose, children }: Props) {
  return (
    <ModalDialog title={title} about={about} onClose={onClose}>
      {children && <div className="dialog-part stack">{children}</div>}
      <Refusal error={change.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={change.isPending} onClick={() => change.mutate(undefined)}>
          {action}
        </Button>
      </div>
    </ModalDialog>
  )
}
