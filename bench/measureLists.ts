import type { BenchOptions } from './figure.ts'
import { gets, measure } from './measure.ts'

const SECONDS = { maximum: 2, half: 3 }

export type ListCase = {
  name: string
  /** Asked for in turn. */
  paths: readonly string[]
  /** The bounds of the latency at half of the maximum, and of the maximum. */
  p99Ms: number
  leastPerSecond?: number
}

/** Measures the wanted cases, one after the other. Resolves to their maximum rates. */
export async function measureLists(
  { report, isWanted }: BenchOptions,
  { group, port, cases }: { group: string; port: number; cases: ListCase[] },
): Promise<Map<string, number>> {
  const rates = new Map<string, number>()
  for (const { name, paths, p99Ms, leastPerSecond } of cases) {
    if (!isWanted(name)) continue
    const measured = await measure({ name, port, requests: gets(paths) }, SECONDS).catch(String)
    if (typeof measured === 'string') {
      report({ group, name, figures: {}, failure: measured })
      continue
    }
    const { maximum, p50, p99 } = measured
    rates.set(name, maximum)
    const least = leastPerSecond === undefined ? {} : { least: leastPerSecond }
    report({
      group,
      name,
      figures: {
        perSecond: { values: [maximum], ...least },
        p50: { values: [p50] },
        p99: { values: [p99], most: p99Ms },
      },
    })
  }
  return rates
}
