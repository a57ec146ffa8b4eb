/** This part of the rounds is played however slow the machine is. */
const LEAST_SHARE = 1 / 3

/**
 * The numbers of the rounds of a random history, from 1: all of them, or on a slow machine those that begin within these seconds,
 * but at least a third.
 */
export function* roundsWithin(rounds: number, seconds = Infinity): Generator<number> {
  const end = performance.now() + seconds * 1_000
  for (let round = 1; round <= rounds; round += 1) {
    if (round > leastRounds(rounds) && performance.now() > end) return
    yield round
  }
}

export function leastRounds(rounds: number): number {
  return Math.ceil(rounds * LEAST_SHARE)
}
