import { useNavigate } from '@tanstack/react-router'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { type AuditSearch, auditFilter, readAuditSearch } from './auditSearch.ts'

/** The actions that change something of an organization. */
const ACTIONS = [
  'organization.create',
  'organization.set',
  'member.invite',
  'member.revoke_invitation',
  'member.join',
  'member.change_role',
  'member.remove',
  'key.create',
  'key.rename',
  'key.revoke',
  'key.rotate',
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'webhook.rotate',
  'webhook.redeliver',
] as const

/** The filters of the audit log, and the expression that they make. */
export function AuditFilters({ search }: { search: AuditSearch }) {
  const navigate = useNavigate()
  const set = (change: Record<string, string>) =>
    void navigate({ to: '/console/audit', search: readAuditSearch({ ...search, ...change }) })
  const { filter } = auditFilter(search)
  return (
    <div className="filters">
      <form
        className="filter-fields"
        onSubmit={(event) => {
          const text = takeTexts(event)
          set({ actor: text('actor').trim(), subject: text('subject').trim() })
        }}
      >
        <Choice
          name="Change"
          none="All"
          options={ACTIONS.map((action) => [action, action] as const)}
          value={search.action ?? ''}
          onChoose={(action) => set({ action })}
        />
        <Field
          key={`actor ${search.actor}`}
          label="By"
          name="actor"
          defaultValue={search.actor}
          placeholder="member:… or key:…"
          autoComplete="off"
        />
        <Field
          key={`subject ${search.subject}`}
          label="Of (its id)"
          name="subject"
          defaultValue={search.subject}
          autoComplete="off"
        />
        <button type="submit" className="button">
          Filter
        </button>
        {filter && (
          <button
            type="button"
            className="button"
            onClick={() => set({ action: '', actor: '', subject: '' })}
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
