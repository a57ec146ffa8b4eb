import type { ChainFollower } from './chainFollower.ts'

export type TipRepeater = {
  /** To be called whenever Ponder requests a block by number. */
  onBlockRequest(): void
  /** To be called whenever Ponder has indexed a block. */
  onIndexed(blockNumber: number): void
  stop(): void
}

const INTERVAL_MS = 30
/** Ponder indexes 50 blocks in less than this. */
const LINGER_MS = 20_000

/**
 * Repeats the tip while Ponder catches up: from a request of a block by number until the tip is indexed, at most for
 * 20 s after the last request. Ponder takes at most 50 missing blocks per head and then waits for the next one, which
 * may come late on a slow chain.
 * It ignores a head that it already has.
 */
export function createTipRepeater(follower: Pick<ChainFollower, 'repeatTip' | 'tip'>): TipRepeater {
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
    onIndexed(blockNumber) {
      const tip = follower.tip()
      if (tip && blockNumber >= Number(tip.number)) stop()
    },
    stop,
  }
}
