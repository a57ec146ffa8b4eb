import { Button } from './Button.tsx'
import { Choice } from './Choice.tsx'
import { Field } from './Field.tsx'
import { takeTexts } from './takeTexts.ts'

type Value = string | number

type FilterField = {
  name: string
  label: string
  /** The values to choose from; a filter without them is typed. */
  options?: readonly (readonly [value: Value, name: string])[]
  placeholder?: string
  fault?: string | undefined
}

type Props = {
  /** The present filters, by the names of the fields. */
  search: Readonly<Record<string, Value | undefined>>
  /** The expression that the filters make. */
  filter: string | null | undefined
  /** Whether there is something to clear; by default, whether there is an expression. */
  isNarrowed?: boolean
  /** The choices, then the typed ones. */
  fields: readonly FilterField[]
  /** Takes what was chosen, or all that was typed, trimmed; undefined for what was taken away. */
  onFilter: (change: Record<string, Value | undefined>) => void
  onClear: () => void
}

/** The filters of a list, and the expression that they make. */
export function FilterForm({ search, filter, isNarrowed, fields, onFilter, onClear }: Props) {
  const typed = fields.filter(({ options }) => !options)
  return (
    <div className="filters">
      <form
        className="filter-fields"
        onSubmit={(event) => {
          const text = takeTexts(event)
          onFilter(
            Object.fromEntries(typed.map(({ name }) => [name, text(name).trim() || undefined])),
          )
        }}
      >
        {fields.map(({ name, label, options, ...field }) =>
          options ? (
            <Choice
              key={name}
              name={label}
              none="All"
              options={options.map(([value, text]) => [String(value), text])}
              value={String(search[name] ?? '')}
              onChoose={(chosen) =>
                onFilter({ [name]: options.find(([value]) => String(value) === chosen)?.[0] })
              }
            />
          ) : (
            // The key renews a field when its own text in the search changes; the rest of the form keeps its focus.
            <Field
              key={`${name} ${search[name]}`}
              name={name}
              label={label}
              defaultValue={search[name]}
              autoComplete="off"
              spellCheck={false}
              {...field}
            />
          ),
        )}
        {typed.length > 0 && <Button type="submit">Filter</Button>}
        {(isNarrowed ?? Boolean(filter)) && <Button onClick={onClear}>Clear</Button>}
      </form>
      {filter && (
        <p className="muted">
          The API takes these filters as <code>filter={filter}</code>
        </p>
      )}
    </div>
  )
}
