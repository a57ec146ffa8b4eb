import { useNavigate } from '@tanstack/react-router'
import { Choice } from '../components/Choice.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { useEventCatalogue } from '../webhooks/useEventCatalogue.ts'
import { type EventSearch, eventFilter, readEventSearch } from './eventSearch.ts'

/** The filters of the event log. */
export function EventFilters({ search }: { search: EventSearch }) {
  const navigate = useNavigate()
  const catalogue = useEventCatalogue().data ?? []
  const show = (next: EventSearch) => void navigate({ to: '/console/events', search: next })
  const set = (change: Record<string, string>) => show(readEventSearch({ ...search, ...change }))
  const groups = [...new Set(catalogue.map(({ type }) => type.split('.')[0]))]
  const patterns = groups.filter((group) => group !== 'ping').map((group) => `${group}.*`)
  const types = [...patterns, ...catalogue.map(({ type }) => type)]
  return (
    <FilterForm
      filter={eventFilter(search).filter}
      fields={[
        {
          label: 'Resource',
          name: 'resource',
          value: search.resource,
          placeholder: '0x… or chain:vault',
        },
        { label: 'Endpoint id', name: 'endpoint', value: search.endpoint },
      ]}
      onFilter={set}
      onClear={() => show({})}
    >
      <Choice
        name="Type"
        none="All"
        options={types.map((type) => [type, type] as const)}
        value={search.type ?? ''}
        onChoose={(type) => set({ type })}
      />
    </FilterForm>
  )
}
