import type { components } from '@causeway/sdk'
import type { TokenMap } from '../api/tokens.ts'
import { OnChain } from '../chains/OnChain.tsx'
import { Amount } from '../components/Amount.tsx'
import { amountColumn, chainColumn, timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { formatDecimal } from '../format/formatNumber.ts'
import { useVaultFacts } from './useVaultFacts.ts'
import { VaultLink } from './VaultLink.tsx'

type Position = components['schemas']['UserPosition']
type Activity = components['schemas']['Activity'] & { tokens: TokenMap }

/** Null where shares came by a transfer, whose cost nobody knows. */
function money(value: string | null, { assetMetadata }: Position) {
  return value === null ? '–' : <Amount value={formatDecimal(value)} unit={assetMetadata.symbol} />
}

export const POSITION_COLUMNS: readonly Column<Position>[] = [
  { header: 'Vault', cell: (row) => <VaultLink {...row} /> },
  chainColumn('Chain', ({ chainId }) => chainId),
  {
    header: 'Value',
    isNumber: true,
    sortBy: ({ positionValueInBase }) => Number(positionValueInBase),
    cell: (row) => money(row.positionValueInBase, row),
  },
  { header: 'Cost', isNumber: true, cell: (row) => money(row.costBasis, row) },
  {
    header: 'Unrealised earnings',
    isNumber: true,
    cell: (row) => money(row.unrealisedEarnings, row),
  },
  { header: 'Realised earnings', isNumber: true, cell: (row) => money(row.realisedEarnings, row) },
]

const TYPES: Record<Activity['type'], string> = {
  DEPOSIT: 'Deposit',
  SMART_DEPOSIT: 'Smart deposit',
  TRANSFER_IN: 'Shares received',
  TRANSFER_OUT: 'Shares sent',
  WITHDRAWAL_ATOMIC: 'Withdrawal, paid at once',
  WITHDRAWAL_REQUESTED: 'Withdrawal requested',
  WITHDRAWAL_COMPLETED: 'Withdrawal paid',
  WITHDRAWAL_REFUND_REQUESTED: 'Refund requested',
  WITHDRAWAL_REFUNDED: 'Shares refunded',
}

export const ACTIVITY_COLUMNS: readonly Column<Activity>[] = [
  timeColumn('Time', ({ timestamp }) => timestamp),
  { header: 'Event', cell: ({ type }) => TYPES[type] },
  { header: 'Vault', cell: (row) => <VaultLink {...row} /> },
  amountColumn('Asset', (row) => ({
    amount: row.assetAmount,
    chainId: row.chainId,
    token: row.assetAddress,
  })),
  { header: 'Value at the time', isNumber: true, cell: (row) => <ActivityValue {...row} /> },
  chainColumn('Chain', ({ chainId }) => chainId),
  {
    header: 'Transaction',
    cell: ({ chainId, txHash }) => <OnChain chainId={chainId} hex={txHash} kind="tx" />,
  },
]

function ActivityValue({ valueInBase, ...place }: Activity) {
  const unit = useVaultFacts(place)?.baseSymbol ?? 'base tokens'
  return <Amount value={formatDecimal(valueInBase)} unit={unit} />
}
