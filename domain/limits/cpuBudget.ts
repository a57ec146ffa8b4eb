import { countedCache } from '../cache/countedCache.ts'
import { WINDOW_SECONDS } from './rateLimits.ts'

export type CpuBudget = {
  /** Seconds until a request may run; 0 if it may now. `limit` is in milliseconds a minute. */
  waitSeconds(name: string, limit: number): number
  spend(name: string, ms: number): void
}

/** `owedMs` was right at `at` (Unix ms); since then, it shrinks at the rate of the limit. */
type Account = { owedMs: number; at: number }

const MOST_ACCOUNTS = 50_000
/** Time that may be owed before a request is refused: ten seconds' worth of the limit. */
const BURST_SECONDS = 10

/** Each name may use `limit` milliseconds of this process's time a minute, spread evenly but for a burst. */
export function createCpuBudget(now: () => number = Date.now): CpuBudget {
  const accounts = countedCache<string, Account>('cpu_budgets', { max: MOST_ACCOUNTS })
  return {
    waitSeconds(name, limit) {
      const account = accounts.get(name)
      if (!account) return 0
      const perSecond = limit / WINDOW_SECONDS
      const at = now()
      account.owedMs = Math.max(account.owedMs - ((at - account.at) / 1_000) * perSecond, 0)
      account.at = at
      const tooMuch = account.owedMs - perSecond * BURST_SECONDS
      return tooMuch <= 0 ? 0 : Math.ceil(tooMuch / perSecond)
    },
    spend(name, ms) {
      const account = accounts.get(name)
      if (account) account.owedMs += ms
      else accounts.set(name, { owedMs: ms, at: now() })
    },
  }
}
