import { getRouteApi } from '@tanstack/react-router'
import { useChains } from '../chains/useChains.ts'
import { FilterForm, statusOptions } from '../components/FilterForm.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { isAddressText } from '../format/hexKind.ts'
import { ADDRESS_COLUMNS, DEPOSIT_COLUMNS } from './depositColumns.tsx'
import { type DepositSearch, depositFilter } from './depositSearch.ts'
import { DEPOSIT_STATUS } from './depositStatus.ts'
import { MakeAddress } from './MakeAddress.tsx'
import { useAddresses, useDeposits } from './useDeposits.ts'

const route = getRouteApi('/console/smart-deposits')

/** Makes smart deposit addresses, and lists them and their payments. */
export function SmartDepositsPage() {
  const search = route.useSearch()
  const filter = depositFilter(search)
  return (
    <Page
      title="Smart deposits"
      about="An address for one user, vault and token. What is paid there is deposited into the vault for the user, without an approval or gas."
    >
      <MakeAddress />
      <ListCard
        title="Deposits"
        query={useDeposits(filter)}
        columns={DEPOSIT_COLUMNS}
        keyOf={({ depositId }) => depositId}
        none={filter ? 'No deposit fits' : 'No deposit yet'}
        advice="A payment to one of your addresses appears here by itself."
      >
        <div className="card-part">
          <DepositFilters search={search} />
        </div>
      </ListCard>
      <ListCard
        title="Addresses"
        query={useAddresses()}
        columns={ADDRESS_COLUMNS}
        keyOf={({ smartDepositAddress }) => smartDepositAddress}
        none="No address yet"
        advice="Make the first one above."
      />
    </Page>
  )
}

/** The filters of the deposits. */
function DepositFilters({ search }: { search: DepositSearch }) {
  const chains = (useChains().data ?? []).filter(({ offers }) => offers.includes('SMART_DEPOSIT'))
  return (
    <FilterForm
      search={search}
      filter={depositFilter(search)}
      fields={[
        { label: 'Status', name: 'status', options: statusOptions(DEPOSIT_STATUS) },
        {
          label: 'Chain',
          name: 'chain',
          options: chains.map(({ chainId, name }) => [chainId, name]),
        },
        {
          label: 'Address, or its user',
          name: 'address',
          placeholder: '0x…',
          faultOf: (text) => (isAddressText(text) ? undefined : 'An address is 0x and 40 digits.'),
        },
        { label: 'Customer id', name: 'customer' },
      ]}
    />
  )
}
