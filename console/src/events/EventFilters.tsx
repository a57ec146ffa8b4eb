import { useNavigate } from '@tanstack/react-router'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { useEventCatalogue } from '../webhooks/useEventCatalogue.ts'
import { type EventSearch, eventFilter, readEventSearch } from './eventSearch.ts'

/** The filters of the event log, and the expression that they make. */
export function EventFilters({ search }: { search: EventSearch }) {
  const navigate = useNavigate()
  const catalogue = useEventCatalogue().data ?? []
  const set = (change: Record<string, string>) =>
    void navigate({ to: '/console/events', search: readEventSearch({ ...search, ...change }) })
  const { filter } = eventFilter(search)
  const groups = [...new Set(catalogue.map(({ type }) => type.split('.')[0]))]
  const patterns = groups.filter((group) => group !== 'ping').map((group) => `${group}.*`)
  const types = [...patterns, ...catalogue.map(({ type }) => type)]
  return (
    <div className="filters">
      <form
        className="filter-fields"
        onSubmit={(event) => {
          const text = takeTexts(event)
          set({ resource: text('resource').trim(), endpoint: text('endpoint').trim() })
        }}
      >
        <Choice
          name="Type"
          none="All"
          options={types.map((type) => [type, type] as const)}
          value={search.type ?? ''}
          onChoose={(type) => set({ type })}
        />
        <Field
          key={`resource ${search.resource}`}
          label="Of (its id)"
          name="resource"
          defaultValue={search.resource}
          placeholder="0x… or chain:vault"
          autoComplete="off"
        />
        <Field
          key={`endpoint ${search.endpoint}`}
          label="Selected by the endpoint"
          name="endpoint"
          defaultValue={search.endpoint}
          autoComplete="off"
        />
        <button type="submit" className="button">
          Filter
        </button>
        {filter && (
          <button
            type="button"
            className="button"
            onClick={() => set({ type: '', resource: '', endpoint: '' })}
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
