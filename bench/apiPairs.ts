import { percentile } from '../test/support/percentile.ts'
import { gets, measureAtRate, measureMaximum } from './measure.ts'

const SLICES = 4
const SLICE_SECONDS = 2

/** An api, with its requests per second and the microseconds of a request in each pair. */
export type PairedApi = { port: number; metricsPort: number; rates: number[]; cpu: number[] }

export type AskedOfApis = { path: string; apiKeys: string[] }

/** Measures each api once more, in slices and in both orders, so that other load on the machine affects all alike. */
export async function measurePair(
  apis: PairedApi[],
  { path, apiKeys }: AskedOfApis,
): Promise<void> {
  const sums = apis.map((api) => ({ api, rate: 0, cpu: 0 }))
  for (let slice = 0; slice < SLICES; slice += 1)
    for (const sum of slice % 2 === 1 ? sums.toReversed() : sums) {
      const { port, metricsPort } = sum.api
      const before = await cpuSeconds(metricsPort)
      const asked = { name: '', port, requests: gets([path]), apiKeys }
      const rate = await measureMaximum(asked, SLICE_SECONDS)
      // The load before the measurement takes a third of its time.
      const requests = (rate * SLICE_SECONDS * 4) / 3
      sum.cpu += ((await cpuSeconds(metricsPort)) - before) / requests
      sum.rate += rate
    }
  for (const { api, rate, cpu } of sums) {
    api.rates.push(rate / SLICES)
    api.cpu.push((cpu / SLICES) * 1_000_000)
  }
}

export type LoadAtOnce = AskedOfApis & { rate: number; seconds: number }

/**
 * The microseconds of CPU time that a request takes in each api, all of which get the same requests at the same time: so
 * whatever else the machine does affects all alike, from millisecond to millisecond. Null if a request was refused: the
 * machine was too busy.
 */
export async function measureAtOnce(
  apis: Pick<PairedApi, 'port' | 'metricsPort'>[],
  { path, apiKeys, rate, seconds }: LoadAtOnce,
): Promise<number[] | null> {
  const requests = gets([path])
  const before = await Promise.all(apis.map(({ metricsPort }) => cpuSeconds(metricsPort)))
  const loads = await Promise.allSettled(
    apis.map(({ port }) => measureAtRate({ name: '', port, requests, apiKeys }, rate, seconds)),
  )
  if (loads.some(({ status }) => status === 'rejected')) return null
  const after = await Promise.all(apis.map(({ metricsPort }) => cpuSeconds(metricsPort)))
  return after.map((used, api) => ((used - (before[api] ?? 0)) / (rate * seconds)) * 1_000_000)
}

/** CPU time that the process has used. */
async function cpuSeconds(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

/** The newest pair. */
export function shownPair({ rates, cpu }: PairedApi): string {
  return `${rates.at(-1)?.toFixed(0)}/s ${cpu.at(-1)?.toFixed(0)} µs`
}

export function medianOf(values: number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

export function inPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** The parts of throughput that the other api loses, and of CPU time that it needs more: medians of the pairs. */
export function compared(without: PairedApi, other: PairedApi): { lost: number; more: number } {
  return {
    lost: medianOf(without.rates.map((off, pair) => 1 - (other.rates[pair] ?? 0) / off)),
    more: medianOf(without.cpu.map((off, pair) => (other.cpu[pair] ?? 0) / off - 1)),
  }
}
