import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'

type Props = {
  title: string
  about?: ReactNode
  isWide?: boolean
  /** Called when the person closes it: by Escape, or a click beside it. */
  onClose: () => void
  children: ReactNode
}

/** A dialog over the page, which takes the focus. It is open as long as it is drawn. */
export function ModalDialog({ title, about, isWide = false, onClose, children }: Props) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <div className="backdrop" />
        <Dialog.Content
          className={isWide ? 'dialog wide' : 'dialog'}
          {...(about ? {} : { 'aria-describedby': undefined })}
        >
          <Dialog.Title>{title}</Dialog.Title>
          {about && (
            <Dialog.Description className="muted" asChild>
              <div>{about}</div>
            </Dialog.Description>
          )}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
