import type { ReactNode } from 'react'
import { Field } from './Field.tsx'
import { takeTexts } from './takeTexts.ts'

type Props = {
  /** The expression that the filters make. */
  filter: string | null | undefined
  /** Whether there is something to clear; by default, whether there is an expression. */
  isNarrowed?: boolean
  /** Takes the typed texts, trimmed, by the names of the fields. Left out if there are only choices. */
  onFilter?: (text: (name: string) => string) => void
  onClear: () => void
  children: ReactNode
}

/** The filters of a list, and the expression that they make. */
export function FilterForm({ filter, isNarrowed, onFilter, onClear, children }: Props) {
  return (
    <div className="filters">
      <form
        className="filter-fields"
        onSubmit={(event) => {
          const text = takeTexts(event)
          onFilter?.((name) => text(name).trim())
        }}
      >
        {children}
        {onFilter && (
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

type FieldProps = {
  label: string
  name: string
  /** The text of the present search. */
  value: string | undefined
  placeholder?: string
  fault?: string | undefined
}

/** A typed filter. It takes the text of each new search, and nothing else of the form loses its focus for that. */
export function FilterField({ value, ...field }: FieldProps) {
  return <Field key={value} defaultValue={value} autoComplete="off" spellCheck={false} {...field} />
}
