import type { Chain } from '../chains/useChains.ts'
import { Badge } from '../components/Badge.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Empty } from '../components/states.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { formatDuration } from '../format/formatTime.ts'

const PRODUCTS: Record<Chain['offers'][number], string> = {
  TRANSIT: 'Transit',
  EARN: 'Earn',
  SMART_DEPOSIT: 'Smart deposits',
}

const block = (number: number | null | undefined) =>
  number === null || number === undefined ? '–' : formatCount(number)

const COLUMNS: readonly Column<Chain>[] = [
  { header: 'Chain', sortBy: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
  {
    header: 'Id',
    isNumber: true,
    sortBy: ({ chainId }) => chainId,
    cell: ({ chainId }) => chainId,
  },
  { header: 'Index', cell: ({ index }) => <IndexState index={index} /> },
  { header: 'Head', isNumber: true, cell: ({ index }) => block(index?.head) },
  { header: 'Indexed block', isNumber: true, cell: ({ index }) => block(index?.block) },
  {
    header: 'Lag',
    isNumber: true,
    sortBy: ({ index }) => index?.lagSeconds ?? 0,
    cell: ({ index }) =>
      index && index.lagSeconds !== null ? formatDuration(index.lagSeconds * 1_000) : '–',
  },
  {
    header: 'Finalized after',
    isNumber: true,
    cell: ({ finalityDepth }) => `${finalityDepth} blocks`,
  },
  {
    header: 'Offers',
    cell: ({ offers }) => (
      <span className="muted">{offers.map((offer) => PRODUCTS[offer]).join(', ')}</span>
    ),
  },
]

function IndexState({ index }: Pick<Chain, 'index'>) {
  if (!index) return <Badge tone="neutral">Not indexed</Badge>
  return index.isSynced ? <Badge tone="good">Synced</Badge> : <Badge tone="bad">Not synced</Badge>
}

export function ChainTable({ chains }: { chains: Chain[] }) {
  if (chains.length === 0)
    return <Empty title="No chain is set up">The address book of this installation has none.</Empty>
  return (
    <DataTable
      label="Chains"
      rows={chains}
      columns={COLUMNS}
      keyOf={({ chainId }) => String(chainId)}
    />
  )
}
