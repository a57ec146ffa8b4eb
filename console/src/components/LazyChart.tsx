import { type ComponentProps, lazy, Suspense } from 'react'
import type { Chart } from './Chart.tsx'
import { Loading } from './states.tsx'

// The library of the charts is not needed for the first view.
const LoadedChart = lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }))

/** A chart, whose script is loaded when the first one is drawn. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  return (
    <Suspense fallback={<Loading rows={6} />}>
      <LoadedChart {...props} />
    </Suspense>
  )
}
