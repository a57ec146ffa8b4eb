import { useId } from 'react'

type Props = {
  name: string
  options: readonly (readonly [value: string, name: string])[]
  value: string
  onChoose: (value: string) => void
  /** The name of no choice, such as `All`; one must be chosen if left out. */
  none?: string
  isDisabled?: boolean
}

/** A list of which one is chosen. */
export function Choice({ name, options, value, onChoose, none, isDisabled = false }: Props) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChoose(event.target.value)}
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
