import { useNavigate } from '@tanstack/react-router'
import { Choice } from '../components/Choice.tsx'
import { FilterField, FilterForm } from '../components/FilterForm.tsx'
import { type AuditSearch, actionsOf, auditFilter, readAuditSearch } from './auditSearch.ts'

type Props = { search: AuditSearch; isComplete: boolean }

/** The filters of an audit log. */
export function AuditFilters({ search, isComplete }: Props) {
  const navigate = useNavigate()
  const show = (next: AuditSearch) =>
    void navigate({ to: isComplete ? '/console/admin/audit' : '/console/audit', search: next })
  const set = (change: Record<string, string>) => show(readAuditSearch({ ...search, ...change }))
  const names = ['actor', 'subject', ...(isComplete ? ['organization'] : [])]
  return (
    <FilterForm
      filter={auditFilter(search).filter}
      onFilter={(text) => set(Object.fromEntries(names.map((name) => [name, text(name)])))}
      onClear={() => show({})}
    >
      <Choice
        name="Action"
        none="All"
        options={actionsOf(isComplete).map((action) => [action, action] as const)}
        value={search.action ?? ''}
        onChoose={(action) => set({ action })}
      />
      <FilterField
        label="Actor"
        name="actor"
        value={search.actor}
        placeholder="member:… or key:…"
      />
      <FilterField label="Resource" name="subject" value={search.subject} />
      {isComplete && (
        <FilterField label="Organization id" name="organization" value={search.organization} />
      )}
    </FilterForm>
  )
}
