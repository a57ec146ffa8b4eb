import type { SeededRandom } from '../support/seededRandom.ts'

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

type Step = (random: SeededRandom, time: number) => number

/** Rarely the same second, often within the hour, sometimes exactly the end of an hour or day. */
const STEPS: readonly [Step, ...Step[]] = [
  () => 0,
  (random) => random.integer(1, 30),
  (random) => random.integer(1, 30),
  (random) => random.integer(31, 20 * MINUTE),
  (random) => random.integer(31, 20 * MINUTE),
  (random) => random.integer(HOUR / 3, 3 * HOUR),
  (random) => random.integer(3 * HOUR, 12 * HOUR),
  (random) => random.integer(12 * HOUR, 2 * DAY),
  (_, time) => until(time, HOUR),
  (random, time) => until(time, HOUR) + random.integer(1, 2),
  (_, time) => until(time, HOUR) - 1,
  (random, time) => until(time, DAY) + random.integer(-1, 1),
]

/** The start of a history, at the same place within its hour for every run. */
export function midnightAfter(time: bigint): bigint {
  return time + BigInt(until(Number(time), DAY))
}

/** A block's time after one at `time`, both in Unix seconds. */
export function nextBlockTime(random: SeededRandom, time: bigint): bigint {
  const step = random.pick(STEPS)(random, Number(time))
  return time + BigInt(Math.max(step, 0))
}

/** From the next multiple of `length`, which is later than `time`. */
function until(time: number, length: number): number {
  return length - (time % length)
}
