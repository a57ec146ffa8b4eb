import { fork } from 'node:child_process'
import { once } from 'node:events'
import { keyOf } from '../test/support/ask.ts'
import { percentile } from '../test/support/percentile.ts'
import type { LoadOptions, LoadRequest, LoadResult, Maximum } from './load.ts'

/** How long each of the two is measured. */
const SECONDS = { maximum: 6, half: 12 }

/** The maximum requests per second, and the latencies in milliseconds at half of that. */
export type Measurement = {
  name: string
  maximum: number
  p50: number
  p90: number
  p99: number
  max: number
}

export type Measured = {
  name: string
  port: number
  requests: LoadRequest[]
  /** The index of the next request; each run moves it. */
  next?: number
  /** Sent in turn; by default the one key that `ask` sends. */
  apiKeys?: string[]
}

/** A GET of each path. */
export function gets(paths: readonly string[]): LoadRequest[] {
  return paths.map((path) => ({ path }))
}

/** The maximum rate of 16 connections, each of which sends its next request after the answer. */
export async function measureMaximum(measured: Measured, seconds?: number): Promise<number> {
  return (await measureMaximumAndCpu(measured, seconds)).perSecond
}

/** The same, with what a request costs. */
export async function measureMaximumAndCpu(
  measured: Measured,
  seconds = SECONDS.maximum,
): Promise<Maximum> {
  await runLoad(measured, { seconds: seconds / 3 })
  return runLoad(measured, { seconds })
}

/** The maximum rate, and the latencies at half of it. Throws if an answer is not a 200. */
export async function measure(measured: Measured, seconds = SECONDS): Promise<Measurement> {
  const maximum = await measureMaximum(measured, seconds.maximum)
  return { ...(await measureAtRate(measured, maximum / 2, seconds.half)), maximum }
}

/** The latencies at a rate. Throws if an answer is not a 200. */
export async function measureAtRate(
  measured: Measured,
  rate: number,
  seconds: number,
): Promise<Omit<Measurement, 'maximum'>> {
  const { name } = measured
  const { latencies } = await runLoad(measured, { seconds, rate })
  const at = (share: number) => percentile(latencies, share)
  return { name, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
}

async function runLoad(
  measured: Measured,
  run: Pick<LoadOptions, 'seconds' | 'rate'>,
): Promise<LoadResult> {
  const { port, requests, next: first = 0 } = measured
  const child = fork(new URL('load.ts', import.meta.url))
  const key = keyOf(`http://127.0.0.1:${port}`)
  const { apiKeys = key ? [key] : [] } = measured
  child.send({ port, requests, first, apiKeys, ...run } satisfies LoadOptions)
  const [result] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the load generator ended')
    }),
  ])) as [LoadResult]
  child.kill()
  measured.next = first + result.latencies.length
  const [failure] = result.failures
  if (failure) throw new Error(`${result.failures.length} requests failed; one of them: ${failure}`)
  return result
}
