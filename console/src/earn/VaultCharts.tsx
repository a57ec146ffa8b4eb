import { useState } from 'react'
import { Card } from '../components/Card.tsx'
import { LazyChart } from '../components/LazyChart.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Toggle } from '../components/Toggle.tsx'
import { entriesOf } from '../format/entriesOf.ts'
import { formatDecimal, formatPercent } from '../format/formatNumber.ts'
import type { VaultPlace } from './deploymentsOf.ts'
import { RANGES, type Range, useVaultSeries } from './useVaultSeries.ts'

const percent = (value: number) => formatPercent(String(value)).short
const CHARTS = [
  ['tvl', 'TVL'],
  ['apy', 'APY'],
] as const
const RANGE_OPTIONS = entriesOf(RANGES).map(([name]) => [name, name] as const)

/** TVL and APY over time, with one choice of the time for both. */
export function VaultCharts({ place }: { place: VaultPlace }) {
  const [range, setRange] = useState<Range>('30 d')
  const query = useVaultSeries(place, range)
  const isHourly = RANGES[range].interval < 86_400
  const asset = query.data?.asset ?? ''
  const amount = (value: number) => `${formatDecimal(String(value)).short} ${asset}`
  const chosen = <Toggle label="Time" options={RANGE_OPTIONS} value={range} onChoose={setRange} />
  return (
    <div className="grid-2">
      {CHARTS.map(([series, name]) => (
        <Card key={series} title={name} actions={series === 'tvl' && chosen}>
          <Answered query={query} rows={6}>
            {({ [series]: points }) =>
              points.length === 0 ? (
                <Empty title={`No ${name} in this time`} />
              ) : (
                <LazyChart
                  name={name}
                  points={points}
                  format={series === 'tvl' ? amount : percent}
                  isHourly={isHourly}
                />
              )
            }
          </Answered>
        </Card>
      ))}
    </div>
  )
}
