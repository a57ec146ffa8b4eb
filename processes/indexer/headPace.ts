import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import type { ChainFollower } from './chainFollower.ts'

/** Between the followed chain and Ponder: heads come one by one, and rarely while Ponder refuses them. */
export type HeadPace = {
  /** What Ponder refuses of the chain, in its words; null while it goes on. */
  refusal(): string | null
  /** Ponder could not go on with a head. */
  refuse(reason: string): void
  /** Ponder cannot go on with the chain, whatever its next head. */
  hold(reason: string): void
  /** Ponder has indexed a block of the chain. */
  accept(): void
  /** What the listener gets instead of `ChainFollower.follow`. */
  follow(listener: (head: BlockHeader) => void): () => void
  stop(): void
}

/** One head in a row may be lost to a reorganisation. */
const MOST_REFUSED = 3
const FIRST_PAUSE_MS = 1_000
/** Ponder ends after 600 refusals in a row, and its other chains with it: at this pace, after more than an hour. */
const LONGEST_PAUSE_MS = 8_000

/**
 * Ponder asks for a block that it refused again with each head. So heads are passed on at once while it takes them, and
 * the tip alone after ever longer pauses while it does not.
 */
export function createHeadPace(follower: Pick<ChainFollower, 'follow' | 'tip'>): HeadPace {
  const listeners = new Set<(head: BlockHeader) => void>()
  let refused = 0
  let refusal: string | null = null
  let pauseMs = FIRST_PAUSE_MS
  let timer: NodeJS.Timeout | undefined

  const pass = (head: BlockHeader) => {
    for (const listener of listeners) listener(head)
  }
  const passLater = () => {
    timer = setTimeout(() => {
      const tip = follower.tip()
      if (tip) pass(tip)
      passLater()
    }, pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const hold = (reason: string) => {
    refusal = reason
    if (!timer) passLater()
  }

  follower.follow((head) => {
    if (refusal === null) pass(head)
  })
  return {
    refusal: () => refusal,
    refuse(reason) {
      refused += 1
      if (refusal !== null || refused >= MOST_REFUSED) hold(reason)
    },
    hold,
    accept() {
      stop()
      refused = 0
      refusal = null
      pauseMs = FIRST_PAUSE_MS
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop,
  }
}
