import { expect, test } from 'vitest'
import { runFollowRounds } from './followRounds.ts'

const ORDERS = 30
const RESTARTS = 3
const HOUR_MS = 3_600_000
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 100_000))

test(`behavior: followers see each step once, in order and without a gap, whatever is cut or restarted (seed ${seed})`, async () => {
  const { lives, cuts, resources, exitCode } = await runFollowRounds({
    orders: ORDERS,
    restarts: RESTARTS,
    seed,
  })
  const whole = lives.filter(({ end }) => end === null)
  expect(whole.map(({ follower, seen }) => [follower, ...seen])).toEqual(
    whole.map(({ follower, expected }) => [follower, ...expected]),
  )
  expect(whole.length).toBeGreaterThanOrEqual(ORDERS)
  const aborted = lives.filter(({ end }) => end !== null)
  expect(aborted.map(({ end }) => end)).toEqual(aborted.map(() => 'Error: enough'))
  // It saw the beginning, as far as it came.
  expect(aborted.map(({ seen }) => seen)).toEqual(
    aborted.map(({ seen, expected }) => expected.slice(0, seen.length)),
  )
  expect(aborted.length).toBeGreaterThan(0)
  expect(cuts).toBeGreaterThan(ORDERS)
  expect(resources.after).toEqual(resources.before)
  expect(resources.listeners).toBe(0)
  expect(resources.clock - Date.now()).toBeGreaterThan(HOUR_MS - 60_000)
  // Nothing is left that would keep the program alive.
  expect(exitCode).toBe(0)
})
