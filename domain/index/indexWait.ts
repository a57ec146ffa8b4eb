import { setTimeout as sleep } from 'node:timers/promises'
import type { HeadReader } from './indexHeads.ts'
import { isBehind } from './indexProgress.ts'

export type IndexWait = {
  /**
   * Waits until a chain that was refused may be answered from again. False if it cannot be for longer than a takeover takes, or
   * if too many requests wait.
   */
  untilAnswerable(chainId: number): Promise<boolean>
}

/** The takeover of an indexer takes two to four seconds, on a slow machine more. */
const LONGEST_MS = 6_000
/** All waiting requests share a read of the heads. */
const LOOK_MS = 50
/** A chain that was not refused for so long was answered from meanwhile. */
const FORGET_MS = 10_000
const MOST_WAITING = 2_000

/**
 * The time counts from the first refusal of the chain. So while it stays away, only requests wait that come more than ten seconds
 * after the last one.
 */
export function createIndexWait(headReader: HeadReader): IndexWait {
  const refusals = new Map<number, { first: number; last: number }>()
  let waiting = 0

  function firstRefusal(chainId: number): number {
    const now = performance.now()
    const known = refusals.get(chainId)
    const first = known && now - known.last < FORGET_MS ? known.first : now
    refusals.set(chainId, { first, last: now })
    return first
  }

  async function isAnswerable(chainId: number): Promise<boolean> {
    const heads = await headReader.read()
    const row = heads.find(({ chain_id }) => chain_id === chainId)
    return row !== undefined && !isBehind(row)
  }

  return {
    async untilAnswerable(chainId) {
      const until = firstRefusal(chainId) + LONGEST_MS
      if (waiting >= MOST_WAITING) return false
      waiting += 1
      try {
        while (performance.now() < until) {
          if (await isAnswerable(chainId)) {
            refusals.delete(chainId)
            return true
          }
          await sleep(LOOK_MS)
        }
        return false
      } finally {
        waiting -= 1
      }
    },
  }
}
