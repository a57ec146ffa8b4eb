import { useEffect, useState } from 'react'
import { Icon } from './Icon.tsx'

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, of }: { text: string; of: string }) {
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
