import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Status } from './Badge.tsx'
import { Button } from './Button.tsx'
import { Choice } from './Choice.tsx'
import { Field } from './Field.tsx'
import { takeTexts } from './takeTexts.ts'

type Value = string | number

/** The choices of a filter by status. */
export function statusOptions(statuses: Readonly<Record<string, Status>>) {
  return Object.entries(statuses).map(([key, { name }]) => [key, name] as const)
}

type FilterField = {
  name: string
  label: string
  /** The values to choose from; a filter without them is typed. */
  options?: readonly (readonly [value: Value, name: string])[]
  placeholder?: string
  /** Why a typed text is refused, if it is. */
  faultOf?: (text: string) => string | undefined
}

type Props = {
  /** The search of the page's address, which has the filters by the names of the fields. */
  search: Readonly<Record<string, Value | undefined>>
  /** The expression that the filters make. */
  filter: string | null | undefined
  /** The choices, then the typed ones. */
  fields: readonly FilterField[]
}

/** The filters of a list, which stand in the page's address, and the expression that they make. */
export function FilterForm({ search, filter, fields }: Props) {
  const navigate = useNavigate()
  const [faults, setFaults] = useState<Record<string, string | undefined>>({})
  const typed = fields.filter(({ options }) => !options)
  const isNarrowed = fields.some(({ name }) => search[name] !== undefined)
  const show = (change: Record<string, Value | undefined>) =>
    // Cast, because each route reads its own search, and leaves out what does not fit.
    void navigate({ to: '.', search: { ...search, ...change } as never, resetScroll: false })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = takeTexts(event)
    const given = typed.map(({ name, faultOf }) => {
      const value = text(name).trim() || undefined
      return { name, value, fault: value && faultOf?.(value) }
    })
    setFaults(Object.fromEntries(given.map(({ name, fault }) => [name, fault])))
    if (given.some(({ fault }) => fault)) return
    show(Object.fromEntries(given.map(({ name, value }) => [name, value])))
  }
  const clear = () => show(Object.fromEntries(fields.map(({ name }) => [name, undefined])))
  return (
    <div className="filters">
      <form className="filter-fields" onSubmit={submit}>
        {fields.map(({ name, label, options, placeholder }) =>
          options ? (
            <Choice
              key={name}
              name={label}
              none="All"
              options={options.map(([value, text]) => [String(value), text])}
              value={String(search[name] ?? '')}
              onChoose={(chosen) =>
                show({ [name]: options.find(([value]) => String(value) === chosen)?.[0] })
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
              placeholder={placeholder}
              fault={faults[name]}
            />
          ),
        )}
        {typed.length > 0 && <Button type="submit">Filter</Button>}
        {isNarrowed && <Button onClick={clear}>Clear</Button>}
      </form>
      {filter && (
        <p className="muted">
          The API takes these filters as <code>filter={filter}</code>
        </p>
      )}
    </div>
  )
}
