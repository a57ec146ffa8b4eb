import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChains } from '../chains/useChains.ts'
import { FilterForm } from '../components/FilterForm.tsx'
import { isAddressText } from '../format/hexKind.ts'
import { type DepositSearch, depositFilter, readDepositSearch } from './depositSearch.ts'
import { DEPOSIT_STATUS } from './depositStatus.ts'

/** The filters of the deposits. */
export function DepositFilters({ search }: { search: DepositSearch }) {
  const navigate = useNavigate()
  const [fault, setFault] = useState<string>()
  const show = (next: DepositSearch) =>
    void navigate({ to: '/console/smart-deposits', search: next, resetScroll: false })
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('SMART_DEPOSIT'))
  return (
    <FilterForm
      search={search}
      filter={depositFilter(search)}
      fields={[
        {
          label: 'Status',
          name: 'status',
          options: Object.entries(DEPOSIT_STATUS).map(([key, { name }]) => [key, name]),
        },
        {
          label: 'Chain',
          name: 'chain',
          options: chains.map(({ chainId, name }) => [chainId, name]),
        },
        { label: 'Address, or its user', name: 'address', placeholder: '0x…', fault },
        { label: 'Customer id', name: 'customer' },
      ]}
      onFilter={(change) => {
        const isRefused = typeof change.address === 'string' && !isAddressText(change.address)
        if ('address' in change) setFault(isRefused ? 'An address is 0x and 40 digits.' : undefined)
        if (!isRefused) show(readDepositSearch({ ...search, ...change }))
      }}
      onClear={() => show({})}
    />
  )
}
