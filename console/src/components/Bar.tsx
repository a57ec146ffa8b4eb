type Props = { name: string; percent: number; text: string }

/** A share of a whole, with its number beside it. */
export function Bar({ name, percent, text }: Props) {
  const width = Math.min(Math.max(percent, 0), 100)
  return (
    <span className="bar-row">
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each in its own way. */}
      <span
        className="bar"
        role="meter"
        aria-label={name}
        aria-valuenow={width}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
      >
        <span style={{ width: `${width}%` }} />
      </span>
      <span className="number">{text}</span>
    </span>
  )
}
