import { type AllRows, apiKeysOptions, useAll } from '@causeway/sdk/react'
import { LIVE } from '../api/live.ts'
import { Bar } from '../components/Bar.tsx'
import type { Column } from '../components/DataTable.tsx'
import { ListCard } from '../components/ListCard.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { type ApiKey, keyName } from '../keys/keyStatus.ts'

type Quota = ApiKey['limits']['reads']

const CLASSES = [
  ['reads', 'Reads'],
  ['prepare', 'Preparing'],
  ['graphql', 'GraphQL'],
] as const

const COLUMNS: readonly Column<ApiKey>[] = [
  { header: 'Key', sortBy: keyName, cell: (apiKey) => keyName(apiKey) },
  ...CLASSES.map(
    ([name, header]): Column<ApiKey> => ({
      header,
      cell: (apiKey) => (
        <QuotaBar name={`${header} of ${keyName(apiKey)}`} quota={apiKey.limits[name]} />
      ),
    }),
  ),
]

/** How much of its quotas each key has used in this minute. */
export function LimitsCard() {
  const query = useAll(apiKeysOptions, {}, { ...LIVE, select: activeOf })
  return (
    <ListCard
      title="Quotas now"
      query={query}
      columns={COLUMNS}
      keyOf={({ publicId }) => publicId}
      none="No key works"
    />
  )
}

function activeOf({ rows, hasMore }: AllRows<ApiKey>) {
  return { rows: rows.filter(({ status }) => status === 'ACTIVE'), hasMore }
}

function QuotaBar({ name, quota: { limit, remaining } }: { name: string; quota: Quota }) {
  if (limit === null || remaining === null) return <span className="muted">no limit</span>
  const used = limit - remaining
  return (
    <Bar
      name={name}
      percent={(used / limit) * 100}
      text={`${formatCount(used)} of ${formatCount(limit)}`}
    />
  )
}
