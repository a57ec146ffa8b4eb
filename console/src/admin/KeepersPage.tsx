import type { components } from '@causeway/sdk'
import { keepersOptions, useAll } from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'
import { OnChain } from '../chains/OnChain.tsx'
import { Amount } from '../components/Amount.tsx'
import { Badge } from '../components/Badge.tsx'
import { chainColumn, countColumn } from '../components/columns.tsx'
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
  const query = useAll(keepersOptions, {}, LIVE)
  return (
    <Page
      title="Keeper"
      about="The accounts of each chain that forward payments at smart deposit addresses into the vaults, with the native coins that they spend."
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
  wei === null ? '–' : <Amount value={formatAmount(wei, 18)} unit="coins" />

/** The key that is short of coins comes first. */
function leastBalance(accounts: Keeper['accounts']): bigint {
  const balances = accounts.map(({ balance }) => balance ?? -1n)
  return balances.toSorted((one, other) => Number(one - other))[0] ?? -1n
}

const COLUMNS: readonly Column<Keeper>[] = [
  chainColumn('Chain', ({ chainId }) => chainId),
  {
    header: 'State',
    cell: ({ isRunning, hold, failing }) => (
      <>
        {isRunning ? (
          <Badge tone={hold ? 'warn' : 'good'}>{hold ? HOLDS[hold] : 'Running'}</Badge>
        ) : (
          <Badge tone="bad">Not running</Badge>
        )}
        {failing.length > 0 && <span className="under">failing: {failing.join(', ')}</span>}
      </>
    ),
  },
  {
    header: 'Accounts',
    cell: ({ chainId, accounts }) =>
      accounts.length === 0
        ? 'no key'
        : accounts.map(({ account }) => (
            <div key={account}>
              <OnChain chainId={chainId} hex={account} kind="address" />
            </div>
          )),
  },
  {
    header: 'Balance',
    isNumber: true,
    sortBy: ({ accounts }) => leastBalance(accounts),
    cell: ({ accounts }) =>
      accounts.map(({ account, balance }) => <div key={account}>{coins(balance)}</div>),
  },
  {
    header: 'Spent in 24 h',
    isNumber: true,
    sortBy: ({ spentToday }) => spentToday,
    cell: ({ spentToday, spentThisHour, maxSpendPerHour }) => (
      <>
        {coins(spentToday)}
        <span className="under">
          this hour {coins(spentThisHour)} of {coins(maxSpendPerHour)}
        </span>
      </>
    ),
  },
  {
    header: 'Waiting',
    isNumber: true,
    sortBy: ({ pendingCount }) => pendingCount,
    cell: ({ pendingCount, oldestWaitingAt }) => (
      <>
        {formatCount(pendingCount)}
        {oldestWaitingAt && (
          <span className="under">
            since <Time time={oldestWaitingAt} />
          </span>
        )}
      </>
    ),
  },
  {
    header: 'Retained',
    isNumber: true,
    sortBy: ({ retainedCount }) => retainedCount,
    cell: ({ retainedCount, unscreenedPaymentCount, unpaidConversionCount }) => (
      <>
        {formatCount(retainedCount)}
        {unscreenedPaymentCount > 0 && (
          <span className="under">{unscreenedPaymentCount} wait for the screening of payers</span>
        )}
        {unpaidConversionCount > 0 && (
          <span className="under">{unpaidConversionCount} wait for a late order</span>
        )}
      </>
    ),
  },
  countColumn('Open transactions', ({ openTransactionCount }) => openTransactionCount),
  countColumn('Other tokens', ({ foreignTransferCount }) => foreignTransferCount),
  {
    header: 'Unclear',
    isNumber: true,
    sortBy: (keeper) => keeper.unplacedTransferCount + keeper.unexplainedBalanceCount,
    cell: ({ unplacedTransferCount, unexplainedBalanceCount }) => (
      <>
        {formatCount(unplacedTransferCount + unexplainedBalanceCount)}
        {unplacedTransferCount > 0 && (
          <span className="under">{unplacedTransferCount} transfers</span>
        )}
        {unexplainedBalanceCount > 0 && (
          <span className="under">{unexplainedBalanceCount} balances</span>
        )}
      </>
    ),
  },
]
