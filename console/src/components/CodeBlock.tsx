import { CopyButton } from './CopyButton.tsx'

type Props = {
  text: string
  /** The noun for screen readers, such as `request`. */
  of: string
}

/** A text of several lines, to read and to copy. */
export function CodeBlock({ text, of }: Props) {
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
