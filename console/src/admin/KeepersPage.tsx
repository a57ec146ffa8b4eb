import { type components, listKeepers } from '@causeway/sdk'
import { readAll } from '../api/readAll.ts'
import { LIVE_MS, useApi } from '../api/useApi.ts'
import { OnChain } from '../chains/OnChain.tsx'
import { Amount } from '../components/Amount.tsx'
import { Badge } from '../components/Badge.tsx'
import { chainColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { Time } from '../components/Time.tsx'
import { formatAmount, formatCount } from '../format/formatNumber.ts'

type Keeper = components['schemas']['Keeper']

const HOLDS: Record<NonNullable<Keeper['hold']>, string> = {
  FEE: 'Waits: gas is too expensive',
  BUDGET: "Waits: this hour's budget is used up",
}

/** The keepers of smart deposits, for operators. */
export function KeepersPage() {
  const query = useApi(
    (connection, options) =>
      readAll(listKeepers(connection, { pageSize: 100 }, options), 'keepers'),
    { key: ['keepers'], every: LIVE_MS },
  )
  return (
    <Page
      title="Keeper"
      about="The account of each chain that forwards payments at smart deposit addresses into the vaults, with what it spends."
    >
      <ListCard
        title="Keepers"
        query={query}
        columns={COLUMNS}
        keyOf={({ chainId }) => String(chainId)}
        none="No chain has smart deposits"
      />
    </Page>
  )
}

const coins = (wei: bigint | null) =>
  wei === null ? '–' : <Amount value={formatAmount(wei, 18)} />

type Counted = 'pendingCount' | 'retainedCount' | 'openTransactionCount' | 'foreignTransferCount'

function countColumn(id: Counted, header: string): Column<Keeper> {
  return {
    id,
    header,
    isNumber: true,
    sortBy: (keeper) => keeper[id],
    cell: (keeper) => formatCount(keeper[id]),
  }
}

const COLUMNS: readonly Column<Keeper>[] = [
  chainColumn({ id: 'chain', header: 'Chain' }, ({ chainId }) => chainId),
  {
    id: 'state',
    header: 'State',
    cell: ({ isRunning, hold }) =>
      isRunning ? (
        <Badge tone={hold ? 'warn' : 'good'}>{hold ? HOLDS[hold] : 'Running'}</Badge>
      ) : (
        <Badge tone="bad">Not running</Badge>
      ),
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ chainId, account }) =>
      account ? <OnChain chainId={chainId} hex={account} kind="address" /> : 'no key',
  },
  {
    id: 'balance',
    header: 'Balance, native coins',
    isNumber: true,
    sortBy: ({ balance }) => balance ?? -1n,
    cell: ({ balance }) => coins(balance),
  },
  { id: 'today', header: 'Spent in 24 h', isNumber: true, cell: (row) => coins(row.spentToday) },
  {
    id: 'hour',
    header: 'This hour, of at most',
    isNumber: true,
    cell: ({ spentThisHour, maxSpendPerHour }) => (
      <>
        {coins(spentThisHour)} of {coins(maxSpendPerHour)}
      </>
    ),
  },
  countColumn('pendingCount', 'Waiting'),
  countColumn('retainedCount', 'Retained'),
  countColumn('openTransactionCount', 'Open transactions'),
  countColumn('foreignTransferCount', 'Other tokens'),
  {
    id: 'oldest',
    header: 'Oldest waiting',
    cell: ({ oldestWaitingAt }) =>
      oldestWaitingAt ? <Time time={oldestWaitingAt} /> : <span className="muted">none</span>,
  },
]
