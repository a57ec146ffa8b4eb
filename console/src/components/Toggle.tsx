import { ToggleGroup } from 'radix-ui'

type Props<Value> = {
  /** For screen readers. */
  label: string
  options: readonly (readonly [value: Value, name: string])[]
  value: Value
  onChoose: (value: Value) => void
  isDisabled?: (value: Value) => boolean
}

/** A row of buttons of which one is chosen. */
export function Toggle<Value extends string>(props: Props<Value>) {
  const { label, options, value, onChoose, isDisabled } = props
  return (
    <ToggleGroup.Root
      type="single"
      className="toggle"
      aria-label={label}
      value={value}
      onValueChange={(chosen) => {
        // A click on the chosen one gives none.
        const found = options.find(([one]) => one === chosen)
        if (found) onChoose(found[0])
      }}
    >
      {options.map(([one, name]) => (
        <ToggleGroup.Item key={one} value={one} disabled={isDisabled?.(one) ?? false}>
          {name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
