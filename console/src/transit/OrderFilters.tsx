import { useNavigate } from '@tanstack/react-router'
import { useChains } from '../chains/useChains.ts'
import { Choice } from '../components/Choice.tsx'
import { ORDER_STATUS } from '../orders/orderStatus.ts'
import { listParameters, type OrderSearch, readOrderSearch } from './orderSearch.ts'

/** The filters of the list, and the expression that they make. */
export function OrderFilters({ search }: { search: OrderSearch }) {
  const navigate = useNavigate()
  const set = (change: Record<string, unknown>) =>
    void navigate({ to: '/console/transit', search: readOrderSearch({ ...search, ...change }) })
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('TRANSIT'))
  const chainOptions = chains.map(({ chainId, name }) => [String(chainId), name] as const)
  const statusOptions = Object.entries(ORDER_STATUS).map(([key, { name }]) => [key, name] as const)
  const chain = (text: string) => (text === '' ? undefined : Number(text))
  const { filter } = listParameters(search) ?? {}
  const isNarrowed =
    search.status !== undefined || search.from !== undefined || search.to !== undefined
  return (
    <div className="filters">
      <div className="filter-fields">
        <Choice
          none="All"
          name="Status"
          options={statusOptions}
          value={search.status ?? ''}
          onChoose={(status) => set({ status })}
        />
        <Choice
          none="All"
          name="From"
          options={chainOptions}
          value={String(search.from ?? '')}
          onChoose={(from) => set({ from: chain(from) })}
        />
        <Choice
          none="All"
          name="To"
          options={chainOptions}
          value={String(search.to ?? '')}
          onChoose={(to) => set({ to: chain(to) })}
        />
        {isNarrowed && (
          <button
            type="button"
            className="button"
            onClick={() => set({ status: undefined, from: undefined, to: undefined })}
          >
            Clear
          </button>
        )}
      </div>
      {filter && (
        <p className="muted">
          The API takes these filters as <code>filter={filter}</code>
        </p>
      )}
    </div>
  )
}
