import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { ModalDialog } from './ModalDialog.tsx'
import { Refusal } from './Refusal.tsx'
import { takeTexts } from './takeTexts.ts'

type Props = {
  title: string
  about?: ReactNode
  /** The text of the button that submits. */
  action: string
  look?: ButtonProps['look']
  change: { isPending: boolean; error: unknown }
  /** Takes a reader of the texts, by the names of the fields. */
  onSubmit: (text: (name: string) => string) => void
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** A form over the page, with the refusal of the change that it makes. */
export function FormDialog(props: Props) {
  const { title, about, action, look = 'primary', change, onSubmit, onClose, children } = props
  return (
    <ModalDialog title={title} about={about} onClose={onClose}>
      <form onSubmit={(event) => onSubmit(takeTexts(event))}>
        {children}
        <Refusal error={change.error} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={look} disabled={change.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
