import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChains } from '../chains/useChains.ts'
import { Choice } from '../components/Choice.tsx'
import { FilterForm } from '../components/FilterForm.tsx'
import { isAddressText } from '../format/hexKind.ts'
import { type DepositSearch, depositFilter, readDepositSearch } from './depositSearch.ts'
import { DEPOSIT_STATUS } from './depositStatus.ts'

const STATUS_OPTIONS = Object.entries(DEPOSIT_STATUS).map(([key, { name }]) => [key, name] as const)

/** The filters of the deposits. */
export function DepositFilters({ search }: { search: DepositSearch }) {
  const navigate = useNavigate()
  const [fault, setFault] = useState<string>()
  const show = (next: DepositSearch) =>
    void navigate({ to: '/console/smart-deposits', search: next, resetScroll: false })
  const set = (change: Record<string, unknown>) => show(readDepositSearch({ ...search, ...change }))
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('SMART_DEPOSIT'))
  const submit = ({ address, customer }: Record<string, string>) => {
    if (address && !isAddressText(address)) return setFault('An address is 0x and 40 digits.')
    setFault(undefined)
    set({ address: address || undefined, customer: customer || undefined })
  }
  return (
    <FilterForm
      filter={depositFilter(search)}
      fields={[
        {
          label: 'Address, or its user',
          name: 'address',
          value: search.address,
          placeholder: '0x…',
          fault,
        },
        { label: 'Customer id', name: 'customer', value: search.customer },
      ]}
      onFilter={submit}
      onClear={() => show({})}
    >
      <Choice
        name="Status"
        none="All"
        options={STATUS_OPTIONS}
        value={search.status ?? ''}
        onChoose={(status) => set({ status })}
      />
      <Choice
        name="Chain"
        none="All"
        options={chains.map(({ chainId, name }) => [String(chainId), name])}
        value={String(search.chain ?? '')}
        onChoose={(chain) => set({ chain: chain === '' ? undefined : Number(chain) })}
      />
    </FilterForm>
  )
}
