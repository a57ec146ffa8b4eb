import type { ComponentProps } from 'react'

export type ButtonProps = ComponentProps<'button'> & {
  look?: 'primary' | 'danger'
  isSmall?: boolean
}

/** A button that submits nothing, unless its type says so. */
export function Button({ look, isSmall, type = 'button', ...button }: ButtonProps) {
  const className = ['button', look, isSmall && 'small'].filter(Boolean).join(' ')
  return <button {...button} type={type} className={className} />
}
