/** A clock that runs as the process's own, and that a test moves forward. */
export function handClock() {
  let ahead = 0
  return {
    now: () => performance.now() + ahead,
    advance(ms: number) {
      ahead += ms
    },
  }
}
