import { useObstacle } from '../session/useObstacle.ts'
import { Button, type ButtonProps } from './Button.tsx'
import { Tip } from './Tip.tsx'

/** A button that changes something. If the person's role lacks the permission, it shows why and does nothing. */
export function ChangeButton({ permission, ...button }: ButtonProps & { permission: string }) {
  const obstacle = useObstacle(permission)
  if (obstacle === null) return <Button {...button} />
  const { onClick: _, disabled: __, ...others } = button
  return (
    <Tip tip={obstacle}>
      <Button {...others} aria-disabled="true" />
    </Tip>
  )
}
