import { Bar } from '../components/Bar.tsx'
import { Card } from '../components/Card.tsx'
import { type Column, DataTable } from '../components/DataTable.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { type ApiKey, keyName } from '../keys/keyStatus.ts'
import type { useKeys } from '../keys/useKeys.ts'

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
export function LimitsCard({ query }: { query: ReturnType<typeof useKeys> }) {
  return (
    <Card title="Quotas now" isFlush>
      <Answered query={query}>
        {({ rows }) => {
          const active = rows.filter(({ status }) => status === 'ACTIVE')
          return active.length === 0 ? (
            <Empty title="No key works" />
          ) : (
            <DataTable
              label="Quotas now"
              rows={active}
              columns={COLUMNS}
              keyOf={({ publicId }) => publicId}
            />
          )
        }}
      </Answered>
    </Card>
  )
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
