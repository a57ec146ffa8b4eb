import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { ACTIONS, type AuditSearch, auditFilter, readAuditSearch } from './auditSearch.ts'

/** The filters of the audit log, and the expression that they make. */
export function AuditFilters({ search }: { search: AuditSearch }) {
  const navigate = useNavigate()
  const filter = auditFilter(search)
  const set = (change: Record<string, unknown>) =>
    void navigate({ to: '/console/admin/audit', search: readAuditSearch({ ...search, ...change }) })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = takeTexts(event)
    set({
      actor: text('actor') || undefined,
      subject: text('subject') || undefined,
      organization: text('organization') || undefined,
    })
  }
  return (
    <div className="filters">
      {/* Another search has other values in its inputs. */}
      <form className="filter-fields" key={JSON.stringify(search)} onSubmit={submit}>
        <Choice
          name="Action"
          none="All"
          options={ACTIONS.map((one) => [one, one])}
          value={search.action ?? ''}
          onChoose={(action) => set({ action })}
        />
        <Field label="Who" name="actor" placeholder="member:…" defaultValue={search.actor} />
        <Field label="Of" name="subject" defaultValue={search.subject} />
        <Field
          label="Organization's id"
          name="organization"
          defaultValue={search.organization}
          spellCheck={false}
        />
        <button type="submit" className="button">
          Filter
        </button>
        {filter && (
          <button
            type="button"
            className="button"
            onClick={() => void navigate({ to: '/console/admin/audit', search: {} })}
          >
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
