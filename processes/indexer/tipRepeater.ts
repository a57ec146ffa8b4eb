import type { ChainFollower } from './chainFollower.ts'

export type TipRepeater = {
  /** To be called whenever Ponder requests a block by number. */
  onBlockRequest(): void
  stop(): void
}

const INTERVAL_MS = 30
/** Ponder indexes 50 blocks in less than this. */
const LINGER_MS = 20_000

/**
 * Repeats the tip while Ponder catches up, that is, while it requests blocks by number. Ponder takes at
 * most 50 missing blocks per head and then waits for the next one, which may come late on a slow chain.
 * It ignores a head that it already has.
 */
export function createTipRepeater(follower: Pick<ChainFollower, 'repeatTip'>): TipRepeater {
  let timer: NodeJS.Timeout | undefined
  let lastRequestAt = 0
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    onBlockRequest() {
      lastRequestAt = Date.now()
      timer ??= setInterval(() => {
        if (Date.now() - lastRequestAt > LINGER_MS) stop()
        else follower.repeatTip()
      }, INTERVAL_MS)
    },
    stop,
  }
}
