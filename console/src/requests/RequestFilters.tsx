import { useNavigate } from '@tanstack/react-router'
import { Choice } from '../components/Choice.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { keyName } from '../keys/keyStatus.ts'
import { useKeys } from '../keys/useKeys.ts'
import { OUTCOMES, type RequestSearch, readRequestSearch, requestFilter } from './requestSearch.ts'

/** The filters of the request log. */
export function RequestFilters({ search }: { search: RequestSearch }) {
  const navigate = useNavigate()
  const keys = useKeys().data?.rows ?? []
  const show = (next: RequestSearch) => void navigate({ to: '/console/requests', search: next })
  const set = (change: Record<string, string>) => show(readRequestSearch({ ...search, ...change }))
  return (
    <FilterForm
      filter={requestFilter(search).filter}
      fields={[
        { label: 'Route', name: 'route', value: search.route, placeholder: '/v2/earn/vaults' },
        { label: 'Request id', name: 'id', value: search.id },
      ]}
      onFilter={set}
      onClear={() => show({})}
    >
      <Choice
        name="Outcome"
        none="All"
        options={Object.entries(OUTCOMES)}
        value={search.outcome ?? ''}
        onChoose={(outcome) => set({ outcome })}
      />
      <Choice
        name="Key"
        none="All"
        options={keys.map((key) => [key.publicId, keyName(key)] as const)}
        value={search.key ?? ''}
        onChoose={(key) => set({ key })}
      />
    </FilterForm>
  )
}
