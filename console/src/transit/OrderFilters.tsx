import { useNavigate } from '@tanstack/react-router'
import { useChains } from '../chains/useChains.ts'
import { FilterForm } from '../components/FilterForm.tsx'
import { ORDER_STATUS } from '../orders/orderStatus.ts'
import { listParameters, type OrderSearch, readOrderSearch } from './orderSearch.ts'

/** The filters of the list. */
export function OrderFilters({ search }: { search: OrderSearch }) {
  const navigate = useNavigate()
  const set = (change: Record<string, unknown>) =>
    void navigate({ to: '/console/transit', search: readOrderSearch({ ...search, ...change }) })
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('TRANSIT'))
  const chainOptions = chains.map(({ chainId, name }) => [chainId, name] as const)
  const { status, from, to } = search
  return (
    <FilterForm
      search={search}
      filter={listParameters(search)?.filter}
      // The searched address or transaction is in the expression too, and stays.
      isNarrowed={[status, from, to].some((one) => one !== undefined)}
      fields={[
        {
          label: 'Status',
          name: 'status',
          options: Object.entries(ORDER_STATUS).map(([key, { name }]) => [key, name]),
        },
        { label: 'From', name: 'from', options: chainOptions },
        { label: 'To', name: 'to', options: chainOptions },
      ]}
      onFilter={set}
      onClear={() => set({ status: undefined, from: undefined, to: undefined })}
    />
  )
}
