import { useNavigate } from '@tanstack/react-router'
import { useChains } from '../chains/useChains.ts'
import { Choice } from '../components/Choice.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { ORDER_STATUS } from '../orders/orderStatus.ts'
import { listParameters, type OrderSearch, readOrderSearch } from './orderSearch.ts'

/** The filters of the list. */
export function OrderFilters({ search }: { search: OrderSearch }) {
  const navigate = useNavigate()
  const set = (change: Record<string, unknown>) =>
    void navigate({ to: '/console/transit', search: readOrderSearch({ ...search, ...change }) })
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('TRANSIT'))
  const chainOptions = chains.map(({ chainId, name }) => [String(chainId), name] as const)
  const statusOptions = Object.entries(ORDER_STATUS).map(([key, { name }]) => [key, name] as const)
  const chain = (text: string) => (text === '' ? undefined : Number(text))
  const { status, from, to } = search
  return (
    <FilterForm
      filter={listParameters(search)?.filter}
      // The searched address or transaction is in the expression too, and stays.
      isNarrowed={[status, from, to].some((one) => one !== undefined)}
      onClear={() => set({ status: undefined, from: undefined, to: undefined })}
    >
      <Choice
        none="All"
        name="Status"
        options={statusOptions}
        value={status ?? ''}
        onChoose={(chosen) => set({ status: chosen })}
      />
      <Choice
        none="All"
        name="From"
        options={chainOptions}
        value={String(from ?? '')}
        onChoose={(chosen) => set({ from: chain(chosen) })}
      />
      <Choice
        none="All"
        name="To"
        options={chainOptions}
        value={String(to ?? '')}
        onChoose={(chosen) => set({ to: chain(chosen) })}
      />
    </FilterForm>
  )
}
