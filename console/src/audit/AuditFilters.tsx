import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { type AuditSearch, actionsOf, auditFilter, readAuditSearch } from './auditSearch.ts'

type Props = { search: AuditSearch; isComplete: boolean }

/** The filters of an audit log, and the expression that they make. */
export function AuditFilters({ search, isComplete }: Props) {
  const navigate = useNavigate()
  const show = (next: AuditSearch) =>
    void navigate({ to: isComplete ? '/console/admin/audit' : '/console/audit', search: next })
  const set = (change: Record<string, string>) => show(readAuditSearch({ ...search, ...change }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = takeTexts(event)
    const names = ['actor', 'subject', ...(isComplete ? ['organization'] : [])]
    set(Object.fromEntries(names.map((name) => [name, text(name).trim()])))
  }
  const { filter } = auditFilter(search)
  return (
    <div className="filters">
      {/* Another search has other values in its inputs. */}
      <form className="filter-fields" key={JSON.stringify(search)} onSubmit={submit}>
        <Choice
          name="Change"
          none="All"
          options={actionsOf(isComplete).map((action) => [action, action] as const)}
          value={search.action ?? ''}
          onChoose={(action) => set({ action })}
        />
        <Field
          label="By"
          name="actor"
          defaultValue={search.actor}
          placeholder="member:… or key:…"
          autoComplete="off"
        />
        <Field
          label="Of (its id)"
          name="subject"
          defaultValue={search.subject}
          autoComplete="off"
        />
        {isComplete && (
          <Field
            label="Organization (its id)"
            name="organization"
            defaultValue={search.organization}
            autoComplete="off"
          />
        )}
        <button type="submit" className="button">
          Filter
        </button>
        {filter && (
          <button type="button" className="button" onClick={() => show({})}>
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
