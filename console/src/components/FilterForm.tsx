import type { ReactNode } from 'react'
import { Field } from './Field.tsx'
import { takeTexts } from './takeTexts.ts'

type FilterField = {
  label: string
  name: string
  /** The text of the present search. */
  value: string | undefined
  placeholder?: string
  fault?: string | undefined
}

type Props = {
  /** The expression that the filters make. */
  filter: string | null | undefined
  /** Whether there is something to clear; by default, whether there is an expression. */
  isNarrowed?: boolean
  /** The typed filters, after the choices. */
  fields?: readonly FilterField[]
  /** Takes the typed texts, trimmed, by the names of the fields. */
  onFilter?: (texts: Record<string, string>) => void
  onClear: () => void
  /** The choices. */
  children: ReactNode
}

/** The filters of a list, and the expression that they make. */
export function FilterForm({
  filter,
  isNarrowed,
  fields = [],
  onFilter,
  onClear,
  children,
}: Props) {
  return (
    <div className="filters">
      <form
        className="filter-fields"
        onSubmit={(event) => {
          const text = takeTexts(event)
          onFilter?.(Object.fromEntries(fields.map(({ name }) => [name, text(name).trim()])))
        }}
      >
        {children}
        {fields.map(({ value, ...field }) => (
          // The key renews a field when its own text in the search changes; the rest of the form keeps its focus.
          <Field
            key={`${field.name} ${value}`}
            defaultValue={value}
            autoComplete="off"
            spellCheck={false}
            {...field}
          />
        ))}
        {fields.length > 0 && (
          <button type="submit" className="button">
            Filter
          </button>
        )}
        {(isNarrowed ?? Boolean(filter)) && (
          <button type="button" className="button" onClick={onClear}>
            Clear
          </button>
        )}
      </form>
      {filter && (
        <p className="muted">
          The API takes these filters as <code>filter={filter}</code>
        </p>
      )}
    </div>
  )
}
