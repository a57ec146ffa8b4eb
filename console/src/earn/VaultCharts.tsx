import { ToggleGroup } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { Card } from '../components/Card.tsx'
import { Answered, Empty, Loading } from '../components/states.tsx'
import { formatDecimal, formatPercent } from '../format/formatNumber.ts'
import type { VaultPlace } from './useVault.ts'
import { RANGES, type Range, useVaultSeries } from './useVaultSeries.ts'

const Chart = lazy(async () => ({ default: (await import('../components/Chart.tsx')).Chart }))

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
    <ToggleGroup.Root
      type="single"
      className="toggle"
      aria-label="Time"
      value={range}
      onValueChange={(value) => {
        const found = NAMES.find((name) => name === value)
        if (found) setRange(found)
      }}
    >
      {NAMES.map((name) => (
        <ToggleGroup.Item key={name} value={name}>
          {name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
  return (
    <div className="grid-2">
      <Card title="TVL" actions={chosen}>
        <Answered query={query} rows={6}>
          {({ tvl }) => (
            <Suspense fallback={<Loading rows={6} />}>
              {tvl.length === 0 ? (
                <Empty title="No TVL in this time" />
              ) : (
                <Chart name="TVL" points={tvl} format={amount} isHourly={isHourly} />
              )}
            </Suspense>
          )}
        </Answered>
      </Card>
      <Card title="APY">
        <Answered query={query} rows={6}>
          {({ apy }) => (
            <Suspense fallback={<Loading rows={6} />}>
              {apy.length === 0 ? (
                <Empty title="No APY in this time" />
              ) : (
                <Chart name="APY" points={apy} format={percent} isHourly={isHourly} />
              )}
            </Suspense>
          )}
        </Answered>
      </Card>
    </div>
  )
}
