import type { ReactNode } from 'react'
import { ModalDialog } from './ModalDialog.tsx'
import { Refusal } from './Refusal.tsx'

type Props = {
  title: string
  about: ReactNode
  /** The text of the button that does it. */
  action: string
  isPending: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog(props: Props) {
  const { title, about, action, isPending, error, onConfirm, onClose, children } = props
  return (
    <ModalDialog title={title} about={about} onClose={onClose}>
      {children}
      <Refusal error={error} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={isPending} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </ModalDialog>
  )
}
