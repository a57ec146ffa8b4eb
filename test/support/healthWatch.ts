import { setTimeout as sleep } from 'node:timers/promises'

/** The times of `/health` in milliseconds, and the number of requests without an answer in time. */
export type HealthReport = { milliseconds: number[]; missed: number }

const EVERY_MS = 200
const PATIENCE_MS = 5_000

/** Requests `/health` until it is stopped; every status counts as an answer. */
export function watchHealth(url: string) {
  const stopping = new AbortController()
  const report: HealthReport = { milliseconds: [], missed: 0 }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const begin = performance.now()
      const response = await fetch(`${url}/health`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch(() => null)
      const body = await response?.text().catch(() => null)
      if (body?.includes('"details"')) report.milliseconds.push(performance.now() - begin)
      else report.missed += 1
      await sleep(EVERY_MS)
    }
  })()
  return {
    /** So many requests have ended. */
    asked: () => report.milliseconds.length + report.missed,
    async stop(): Promise<HealthReport> {
      stopping.abort()
      await running
      return report
    },
  }
}
