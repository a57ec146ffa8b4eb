import { setTimeout as sleep } from 'node:timers/promises'
import { pause } from '../../domain/loop/pause.ts'

/**
 * The result of a load: every answer but 200 and 304, and every request without one, is a failure. An answer `OVERLOADED` counts as
 * such, and its request is sent again.
 */
export type LoadReport = {
  answered: number
  longPolls: number
  overloaded: number
  failures: string[]
}

type LoadedReplicas = { urls: string[]; path: string; readers: number; waiters: number }

const READ_PAUSE_MS = 10
/** A process that is short of a processor refuses, and says to retry. So does this client, but not for longer. */
const OVERLOADED_MS = 10_000
const RETRY_MS = 100
const POLL_MS = 1_000
const WAIT_SECONDS = 20

/**
 * A client that acts like a load balancer: it uses in turn the replicas whose `/ready` was 200 at its last
 * check, once a second. `readers` request again soon; `waiters` hold long polls, which a drain may end.
 */
export function startReadyClient({ urls, path, readers, waiters }: LoadedReplicas) {
  const stopping = new AbortController()
  const { signal } = stopping
  const report: LoadReport = { answered: 0, longPolls: 0, overloaded: 0, failures: [] }
  let ready: string[] = [...urls]
  let turn = 0

  async function pollReadiness() {
    while (!signal.aborted) {
      const states = await Promise.all(urls.map(isReady))
      ready = urls.filter((_, index) => states[index])
      if (ready.length === 0 && !signal.aborted) report.failures.push('no replica was ready')
      await pause(POLL_MS, signal)
    }
  }

  async function ask(suffix: string, headers: Record<string, string>) {
    for (const since = Date.now(); ; await sleep(RETRY_MS)) {
      const url = ready[turn++ % ready.length]
      if (url === undefined) return sleep(POLL_MS)
      try {
        const response = await fetch(`${url}${path}${suffix}`, { headers })
        const body = await response.text()
        const isOverloaded = response.status === 503 && body.includes('"OVERLOADED"')
        if (isOverloaded) report.overloaded += 1
        if (isOverloaded && Date.now() - since < OVERLOADED_MS) continue
        if (response.status !== 200 && response.status !== 304)
          report.failures.push(`${response.status} of ${url}${path}${suffix}: ${body}`)
        return response
      } catch (error) {
        report.failures.push(`${error instanceof Error ? (error.cause ?? error) : error} of ${url}`)
        return
      }
    }
  }

  async function read() {
    while (!signal.aborted) {
      if (await ask('', {})) report.answered += 1
      await pause(READ_PAUSE_MS, signal)
    }
  }

  async function wait() {
    const etag = (await ask('', {}))?.headers.get('etag') ?? ''
    while (!signal.aborted)
      if (await ask(`?waitSeconds=${WAIT_SECONDS}`, { 'if-none-match': etag }))
        report.longPolls += 1
  }

  const running = Promise.all([
    pollReadiness(),
    ...Array.from({ length: readers }, read),
    ...Array.from({ length: waiters }, wait),
  ])
  return {
    report,
    /** Resolves when every request has its answer. */
    async stop(): Promise<LoadReport> {
      stopping.abort()
      await running
      return report
    },
  }
}

/** Nothing listens while it restarts. */
async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/ready`).catch(() => null)
  await response?.arrayBuffer()
  return response?.ok ?? false
}
