import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useChains } from '../chains/useChains.ts'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { takeTexts } from '../components/takeTexts.ts'
import { isAddressText } from '../format/hexKind.ts'
import { type DepositSearch, depositFilter, readDepositSearch } from './depositSearch.ts'
import { DEPOSIT_STATUS } from './depositStatus.ts'

const STATUS_OPTIONS = Object.entries(DEPOSIT_STATUS).map(([key, { name }]) => [key, name] as const)

/** The filters of the deposits, and the expression that they make. */
export function DepositFilters({ search }: { search: DepositSearch }) {
  const navigate = useNavigate()
  const [fault, setFault] = useState<string>()
  const set = (change: Record<string, unknown>) =>
    void navigate({
      to: '/console/smart-deposits',
      search: readDepositSearch({ ...search, ...change }),
      resetScroll: false,
    })
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('SMART_DEPOSIT'))
  const filter = depositFilter(search)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const text = takeTexts(event)
    const address = text('address')
    if (address && !isAddressText(address)) return setFault('An address is 0x and 40 digits.')
    setFault(undefined)
    set({ address: address || undefined, customer: text('customer') || undefined })
  }
  return (
    <div className="filters">
      {/* Another search has other values in its inputs. */}
      <form className="filter-fields" key={JSON.stringify(search)} onSubmit={submit}>
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
        <Field
          label="Address, or its user"
          name="address"
          placeholder="0x…"
          defaultValue={search.address}
          spellCheck={false}
          fault={fault}
        />
        <Field label="Customer id" name="customer" defaultValue={search.customer} />
        <button type="submit" className="button">
          Filter
        </button>
        {filter && (
          <button
            type="button"
            className="button"
            onClick={() => void navigate({ to: '/console/smart-deposits', search: {} })}
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
