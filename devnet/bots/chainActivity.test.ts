import { expect, test } from 'vitest'
import { createChainActivity } from './chainActivity.ts'

const EVERY_MS = 10
const QUIET_MS = 2_000

/** Milliseconds. */
async function time(work: Promise<void>): Promise<number> {
  const since = performance.now()
  await work
  return performance.now() - since
}

test('default: a quiet chain is looked at rarely, a busy one often', async () => {
  const activity = createChainActivity({ quietMs: QUIET_MS })
  expect(await time(activity.pause(1, EVERY_MS))).toBeGreaterThan(QUIET_MS * 0.9)
  activity.note(1)
  expect(await time(activity.pause(1, EVERY_MS))).toBeLessThan(QUIET_MS / 2)
})

test('behavior: a transaction ends the pauses of its chain, and of no other', async () => {
  const activity = createChainActivity({ quietMs: QUIET_MS })
  const pauses = [activity.pause(1, EVERY_MS), activity.pause(1, EVERY_MS)].map(time)
  const other = time(activity.pause(2, EVERY_MS))
  activity.note(1)
  for (const ms of await Promise.all(pauses)) expect(ms).toBeLessThan(QUIET_MS / 2)
  expect(await other).toBeGreaterThan(QUIET_MS * 0.9)
})
