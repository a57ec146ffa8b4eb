import { useId } from 'react'

type Props<Value> = {
  name: string
  options: readonly (readonly [value: Value, name: string])[]
  value: Value
  onChoose: (value: Value) => void
  /** The name of no choice, such as `All`; one must be chosen if left out. */
  none?: string
  isDisabled?: boolean
}

/** A list of which one is chosen. */
export function Choice<Value extends string>(props: Props<Value>) {
  const { name, options, value, onChoose, none, isDisabled = false } = props
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        // Cast: the browser gives the value of an option, or of none.
        onChange={(event) => onChoose(event.target.value as Value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
