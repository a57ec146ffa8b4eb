import type { ChainFollower } from './chainFollower.ts'

export type TipReminder = {
  /** To be called with every block that Ponder asks for by number. */
  asked(): void
  stop(): void
}

const INTERVAL_MS = 30
/** Longer than Ponder takes to index 50 blocks. */
const LINGER_MS = 20_000

/**
 * Tells the tip again and again while Ponder catches up, which is when it asks for blocks by number.
 * It takes at most 50 missing blocks per head and then waits for another, which a chain of slow blocks
 * would not bring for long. A head that it has already, or is about to have, it ignores.
 */
export function createTipReminder(follower: Pick<ChainFollower, 'retell'>): TipReminder {
  let timer: NodeJS.Timeout | undefined
  let lastAskedAt = 0
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    asked() {
      lastAskedAt = Date.now()
      timer ??= setInterval(() => {
        if (Date.now() - lastAskedAt > LINGER_MS) stop()
        else follower.retell()
      }, INTERVAL_MS)
    },
    stop,
  }
}
