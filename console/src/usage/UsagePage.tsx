import { useState } from 'react'
import { Card } from '../components/Card.tsx'
import { Chart } from '../components/Chart.tsx'
import { Choice } from '../components/Choice.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { Page } from '../components/Page.tsx'
import { Stat } from '../components/Stat.tsx'
import { Answered } from '../components/states.tsx'
import { Toggle } from '../components/Toggle.tsx'
import { formatCount } from '../format/formatNumber.ts'
import { keyName } from '../keys/keyStatus.ts'
import { useKeys } from '../keys/useKeys.ts'
import { LimitsCard } from './LimitsCard.tsx'
import { type Period, useUsage } from './useUsage.ts'

const CHARTS = [
  ['requests', 'Requests'],
  ['points', 'Points'],
] as const
const PERIODS = [
  ['day', '24 hours'],
  ['month', '30 days'],
] as const

/** The requests of the organization's keys over time, and the rest of their quotas. */
export function UsagePage() {
  const [period, setPeriod] = useState<Period>('day')
  const [publicId, setPublicId] = useState('')
  const usage = useUsage(period, publicId || null)
  const keys = useKeys().data?.rows ?? []
  return (
    <Page
      title="Usage"
      about="Requests of your keys, and the points that they cost of the quotas."
      actions={<Toggle label="Period" options={PERIODS} value={period} onChoose={setPeriod} />}
    >
      <div className="filter-fields">
        <Choice
          name="Key"
          none="All"
          options={keys.map((key) => [key.publicId, keyName(key)] as const)}
          value={publicId}
          onChoose={setPublicId}
        />
      </div>
      <Answered query={usage} rows={8}>
        {({ sumOf, pointsOf, hasMore, count }) => (
          <>
            <dl className="stats">
              <Stat name="Requests">{formatCount(sumOf('requests'))}</Stat>
              <Stat name="Points">{formatCount(sumOf('points'))}</Stat>
              <Stat name="Refused by a limit">{formatCount(sumOf('refused'))}</Stat>
              <Stat name="Invalid">{formatCount(sumOf('invalid'))}</Stat>
              <Stat name="Failed">{formatCount(sumOf('failed'))}</Stat>
            </dl>
            <div className="grid-2">
              {CHARTS.map(([quantity, name]) => (
                <Card key={quantity} title={name}>
                  <Chart
                    name={name}
                    kind="bars"
                    points={pointsOf(quantity)}
                    format={formatCount}
                    isHourly={period === 'day'}
                    isCount
                  />
                </Card>
              ))}
            </div>
            <CutNote hasMore={hasMore} count={count} />
          </>
        )}
      </Answered>
      <LimitsCard />
    </Page>
  )
}
