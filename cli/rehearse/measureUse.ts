import { setTimeout as sleep } from 'node:timers/promises'
import type { MeasuredUse } from './rehearsal.ts'

const DAY_SECONDS = 86_400

type Calls = { chainId: number; method: string; count: number }

/** The calls that a process has made, from its metrics. */
export async function readCalls(metricsUrl: string): Promise<Calls[]> {
  const text = await (await fetch(metricsUrl)).text()
  return [
    ...text.matchAll(/^causeway_rpc_calls_total\{chain="(\d+)",method="(\w+)"\} (\d+)/gm),
  ].map(([, chain, method = '', count]) => ({
    chainId: Number(chain),
    method,
    count: Number(count),
  }))
}

/** Counts the calls of a process for some seconds, and returns how many that is in a day. */
export async function measureUse(
  metricsUrl: string,
  before: Calls[],
  seconds: number,
): Promise<MeasuredUse[]> {
  await sleep(seconds * 1_000)
  const after = await readCalls(metricsUrl)
  return after.flatMap(({ chainId, method, count }) => {
    const known = before.find((one) => one.chainId === chainId && one.method === method)
    const made = count - (known?.count ?? 0)
    return made > 0
      ? [{ chainId, method, callsPerDay: Math.round((made * DAY_SECONDS) / seconds) }]
      : []
  })
}
