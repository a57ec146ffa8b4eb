/** A clock that stands still until a test moves it, so that no lifetime depends on the machine's speed. */
export function handClock() {
  let now = performance.now()
  return {
    now: () => now,
    advance(ms: number) {
      now += ms
    },
  }
}
