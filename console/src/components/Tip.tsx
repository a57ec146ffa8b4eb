import { Tooltip } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

type Props = { tip: ReactNode; children: ReactElement }

/** More about an element, for the mouse and for the keyboard. The element must take the focus. */
export function Tip({ tip, children }: Props) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={12}>
          {tip}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
