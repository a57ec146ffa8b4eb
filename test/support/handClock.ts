import { setTimeout as sleep } from 'node:timers/promises'

/** A clock that runs as the process's own, and that a test moves forward. */
export function handClock() {
  let ahead = 0
  return {
    now: () => performance.now() + ahead,
    async advance(ms: number) {
      ahead += ms
      // Caches read their clock once per millisecond.
      await sleep(3)
    },
  }
}
