import { CopyButton } from './CopyButton.tsx'

type Props = {
  value: unknown
  /** The noun for screen readers. */
  of: string
}

/** JSON to read and to copy. */
export function JsonText({ value, of }: Props) {
  const text = JSON.stringify(value, null, 2) ?? ''
  return (
    <div className="json">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, a text scrolls only when it has the focus. */}
      <section tabIndex={0} aria-label={of}>
        <pre>{text}</pre>
      </section>
      <CopyButton text={text} of={of} />
    </div>
  )
}
