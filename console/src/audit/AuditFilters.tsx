import { useNavigate } from '@tanstack/react-router'
import { Choice } from '../components/Choice.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { type AuditSearch, actionsOf, auditFilter, readAuditSearch } from './auditSearch.ts'

type Props = { search: AuditSearch; isComplete: boolean }

/** The filters of an audit log. */
export function AuditFilters({ search, isComplete }: Props) {
  const navigate = useNavigate()
  const show = (next: AuditSearch) =>
    void navigate({ to: isComplete ? '/console/admin/audit' : '/console/audit', search: next })
  const set = (change: Record<string, string>) => show(readAuditSearch({ ...search, ...change }))
  const organization = {
    label: 'Organization id',
    name: 'organization',
    value: search.organization,
  }
  return (
    <FilterForm
      filter={auditFilter(search).filter}
      fields={[
        {
          label: 'Actor',
          name: 'actor',
          value: search.actor,
          placeholder: 'member:… or key:…',
        },
        { label: 'Resource', name: 'subject', value: search.subject },
        ...(isComplete ? [organization] : []),
      ]}
      onFilter={set}
      onClear={() => show({})}
    >
      <Choice
        name="Action"
        none="All"
        options={actionsOf(isComplete).map((action) => [action, action] as const)}
        value={search.action ?? ''}
        onChoose={(action) => set({ action })}
      />
    </FilterForm>
  )
}
