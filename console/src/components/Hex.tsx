import { shortHex } from '../format/shortHex.ts'
import { CopyButton } from './CopyButton.tsx'
import { Tip } from './Tip.tsx'

type Props = {
  hex: string
  /** The noun for screen readers, such as `address`. */
  of: string
  /** Its page at an explorer of the chain; it is shown as text if left out. */
  href?: string | undefined
}

/** An address or a hash: short, whole on hover, with a button that copies it. */
export function Hex({ hex, of, href }: Props) {
  return (
    <span className="hex">
      <Tip tip={hex}>
        {href ? (
          <a href={href} target="_blank" rel="noreferrer">
            {shortHex(hex)}
            <span className="hidden"> (opens the explorer)</span>
          </a>
        ) : (
          <button type="button" className="plain">
            {shortHex(hex)}
          </button>
        )}
      </Tip>
      <CopyButton text={hex} of={of} />
    </span>
  )
}
