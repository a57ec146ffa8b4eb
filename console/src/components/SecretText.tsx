import { CopyButton } from './CopyButton.tsx'

type Props = {
  /** The noun for screen readers, such as `secret`. */
  of: string
  text: string
}

/** A text to be copied whole, such as a secret that is shown once. */
export function SecretText({ of, text }: Props) {
  return (
    <div className="secret">
      <code>{text}</code>
      <CopyButton text={text} of={of} />
    </div>
  )
}
