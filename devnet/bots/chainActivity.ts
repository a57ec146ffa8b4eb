import { setTimeout as sleep } from 'node:timers/promises'

/** Which chains have transactions, as the block producer sees them: the other bots ask the nodes of quiet ones rarely. */
export type ChainActivity = {
  /** A block of the chain has a transaction. */
  note(chainId: number): void
  /** The pause of a bot on this chain: `everyMs`, or until the next transaction while there is none. */
  pause(chainId: number, everyMs: number): Promise<void>
}

/** A bot follows up a transaction within this time. What it does is a transaction too. */
const BUSY_MS = 10_000
/** After this a bot looks again for work that became due by time alone, or that failed. */
const QUIET_MS = 5_000

export function createChainActivity({ quietMs = QUIET_MS } = {}): ChainActivity {
  const noted = new Map<number, number>()
  const waiting = new Map<number, Set<() => void>>()
  return {
    note(chainId) {
      noted.set(chainId, performance.now())
      for (const wake of waiting.get(chainId) ?? []) wake()
    },
    async pause(chainId, everyMs) {
      const last = noted.get(chainId) ?? -Infinity
      if (performance.now() - last < BUSY_MS) return sleep(everyMs)
      const { promise, resolve } = Promise.withResolvers<void>()
      const wakes = waiting.get(chainId) ?? new Set()
      waiting.set(chainId, wakes.add(resolve))
      const timer = setTimeout(resolve, quietMs)
      await promise
      clearTimeout(timer)
      wakes.delete(resolve)
    },
  }
}
