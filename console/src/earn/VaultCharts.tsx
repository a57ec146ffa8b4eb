import { useState } from 'react'
import { Card } from '../components/Card.tsx'
import { LazyChart } from '../components/LazyChart.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { Toggle } from '../components/Toggle.tsx'
import { formatDecimal, formatPercent } from '../format/formatNumber.ts'
import type { VaultPlace } from './useVault.ts'
import { RANGES, type Range, useVaultSeries } from './useVaultSeries.ts'

const percent = (value: number) => formatPercent(String(value)).short
const NAMES = Object.keys(RANGES).filter((name): name is Range => name in RANGES)

/** TVL and APY over time, with one choice of the time for both. */
export function VaultCharts({ place }: { place: VaultPlace }) {
  const [range, setRange] = useState<Range>('30 d')
  const query = useVaultSeries(place, range)
  const isHourly = RANGES[range].interval < 86_400
  const asset = query.data?.asset ?? ''
  const amount = (value: number) => `${formatDecimal(String(value)).short} ${asset}`
  const chosen = (
    <Toggle
      label="Time"
      options={NAMES.map((name) => [name, name])}
      value={range}
      onChoose={setRange}
    />
  )
  return (
    <div className="grid-2">
      <Card title="TVL" actions={chosen}>
        <Answered query={query} rows={6}>
          {({ tvl }) =>
            tvl.length === 0 ? (
              <Empty title="No TVL in this time" />
            ) : (
              <LazyChart name="TVL" points={tvl} format={amount} isHourly={isHourly} />
            )
          }
        </Answered>
      </Card>
      <Card title="APY">
        <Answered query={query} rows={6}>
          {({ apy }) =>
            apy.length === 0 ? (
              <Empty title="No APY in this time" />
            ) : (
              <LazyChart name="APY" points={apy} format={percent} isHourly={isHourly} />
            )
          }
        </Answered>
      </Card>
    </div>
  )
}
