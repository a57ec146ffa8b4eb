import { useEffect, useState } from 'react'
import { shortHex } from '../format/shortHex.ts'
import { Icon } from './Icon.tsx'
import { Tip } from './Tip.tsx'

type Props = {
  hex: string
  /** The noun for screen readers, such as `address`. */
  of: string
  /** Where the text leads; it is shown as text if left out. */
  href?: string | undefined
  isExternal?: boolean
}

/** An address or a hash: short, whole on hover, with a button that copies it. */
export function Hex({ hex, of, href, isExternal = false }: Props) {
  const external = isExternal ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <span className="hex">
      <Tip tip={hex}>
        {href ? (
          <a href={href} {...external}>
            {shortHex(hex)}
            {isExternal && <span className="hidden"> (opens the explorer)</span>}
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

/** Copies a text and confirms it for two seconds. */
function CopyButton({ text, of }: { text: string; of: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <button
      type="button"
      className="icon-button small"
      onClick={copy}
      aria-label={`Copy the ${of}`}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span role="status" className="hidden">
        {isCopied ? 'Copied' : ''}
      </span>
    </button>
  )
}
