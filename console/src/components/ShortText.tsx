import { CopyButton } from './CopyButton.tsx'
import { Tip } from './Tip.tsx'

type Props = {
  text: string
  /** The noun for screen readers, such as `schema`. */
  of: string
}

/** A text cut at its end: whole on hover and focus, with a button that copies it. */
export function ShortText({ text, of }: Props) {
  return (
    <span className="short-text">
      <Tip tip={text}>
        <button type="button" className="plain clip mono">
          {text}
        </button>
      </Tip>
      <CopyButton text={text} of={of} />
    </span>
  )
}
