import type { components } from '@causeway/sdk'
import { indexBuildsOptions, useAll } from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'
import { Badge, type Status, StatusBadge } from '../components/Badge.tsx'
import { Bar } from '../components/Bar.tsx'
import { chainColumn, timeColumn } from '../components/columns.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { Page } from '../components/Page.tsx'
import { ShortText } from '../components/ShortText.tsx'
import { Time } from '../components/Time.tsx'
import { formatCount, formatPercent } from '../format/formatNumber.ts'

type Build = components['schemas']['IndexBuild']

const STATES: Record<Build['state'], Status> = {
  BUILDING: { name: 'Building', tone: 'info' },
  SERVED: { name: 'Served', tone: 'good' },
  RETIRED: { name: 'Retired', tone: 'neutral' },
  FAILED: { name: 'Failed', tone: 'bad' },
}

/** The builds of the index of every chain, for operators. */
export function IndexBuildsPage() {
  const query = useAll(indexBuildsOptions, {}, LIVE)
  return (
    <Page
      title="Index builds"
      about="A build is one indexing of a chain by one version of the code and the address book. Reads are answered from the served one."
    >
      <ListCard
        title="Builds"
        query={query}
        columns={COLUMNS}
        keyOf={({ postgresSchema, chainId }) => `${chainId} ${postgresSchema}`}
        none="No build yet"
        advice="The indexer begins one when it starts."
      />
    </Page>
  )
}

function Progress({ build: { block, head } }: { build: Build }) {
  if (block === null || !head) return <span className="muted">–</span>
  const percent = Math.min((block / head) * 100, 100)
  return (
    <>
      <Bar name="Indexed" percent={percent} text={formatPercent(String(percent)).short} />
      <span className="under">
        block {formatCount(block)} of {formatCount(head)}
      </span>
    </>
  )
}

const COLUMNS: readonly Column<Build>[] = [
  chainColumn('Chain', ({ chainId }) => chainId),
  {
    header: 'State',
    cell: ({ state, isReady }) => (
      <span className="badges">
        <StatusBadge status={STATES[state]} />
        {state === 'BUILDING' && isReady && <Badge tone="good">Complete</Badge>}
      </span>
    ),
  },
  { header: 'Indexed', cell: (build) => <Progress build={build} /> },
  timeColumn('Started', ({ createdAt }) => createdAt),
  {
    header: 'Served',
    cell: ({ servedAt }) =>
      servedAt ? <Time time={servedAt} /> : <span className="muted">never</span>,
  },
  {
    header: 'Postgres schema',
    cell: ({ postgresSchema }) => <ShortText text={postgresSchema} of="Postgres schema" />,
  },
  {
    header: 'Remark',
    cell: ({ error, rebuildReason }) =>
      (error ?? rebuildReason) ? <span className="wrap">{error ?? rebuildReason}</span> : null,
  },
]
