import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import { Brand } from './Brand.tsx'
import { Navigation } from './Navigation.tsx'
import { OrganizationChooser } from './OrganizationChooser.tsx'

/** The navigation of narrow screens. */
export function Drawer() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="icon-button menu-button" aria-label="Open the menu">
        <Icon name="menu" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <div className="backdrop" />
        <Dialog.Content className="drawer" aria-describedby={undefined}>
          <div className="drawer-head">
            <Brand />
            <Dialog.Title className="hidden">Menu</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close the menu">
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <OrganizationChooser />
          <Navigation onChosen={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
