import type { ReactNode } from 'react'
import { useObstacle } from '../session/useObstacle.ts'
import { Tip } from './Tip.tsx'

type Props = {
  /** The permission of the change. */
  permission: string
  className?: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

/** A button that changes something. If the person's role may not, it shows why and does nothing. */
export function ChangeButton({ permission, className = 'button', onClick, ...button }: Props) {
  const obstacle = useObstacle(permission)
  if (obstacle === null)
    return <button type="button" className={className} onClick={onClick} {...button} />
  return (
    <Tip tip={obstacle}>
      <button type="button" className={className} aria-disabled="true">
        {button.children}
      </button>
    </Tip>
  )
}
