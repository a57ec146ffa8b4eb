import { useNavigate } from '@tanstack/react-router'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { keyName } from '../keys/keyStatus.ts'
import { useKeys } from '../keys/useKeys.ts'
import { OUTCOMES, type RequestSearch, readRequestSearch, requestFilter } from './requestSearch.ts'

/** The filters of the request log, and the expression that they make. */
export function RequestFilters({ search }: { search: RequestSearch }) {
  const navigate = useNavigate()
  const keys = useKeys().data?.rows ?? []
  const set = (change: Record<string, string>) =>
    void navigate({ to: '/console/requests', search: readRequestSearch({ ...search, ...change }) })
  const { filter } = requestFilter(search)
  return (
    <div className="filters">
      <form
        className="filter-fields"
        onSubmit={(event) => {
          const text = takeTexts(event)
          set({ route: text('route').trim(), id: text('id').trim() })
        }}
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
        <Field
          key={`route ${search.route}`}
          label="Route"
          name="route"
          defaultValue={search.route}
          placeholder="/v2/earn/vaults"
          autoComplete="off"
        />
        <Field
          key={`id ${search.id}`}
          label="Request id"
          name="id"
          defaultValue={search.id}
          autoComplete="off"
        />
        <button type="submit" className="button">
          Filter
        </button>
        {filter && (
          <button
            type="button"
            className="button"
            onClick={() => set({ outcome: '', key: '', route: '', id: '' })}
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
