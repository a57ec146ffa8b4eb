import { expect, test } from 'vitest'
import { createDoorbell } from './doorbell.ts'

const LONG_MS = 60_000
const SHORT_MS = 50
const never = new AbortController().signal

test('default: a ring ends the wait, and each wait takes a ring of its own', async () => {
  const bell = createDoorbell()
  const waiting = bell.wait(LONG_MS, never)
  bell.ring()
  await waiting
  const since = performance.now()
  await bell.wait(SHORT_MS, never)
  expect(performance.now() - since).toBeGreaterThanOrEqual(SHORT_MS - 1)
})

test('behavior: a ring before the wait ends it at once', async () => {
  const bell = createDoorbell()
  bell.ring()
  await bell.wait(LONG_MS, never)
})

test('behavior: an abort ends the wait', async () => {
  const stopping = new AbortController()
  const waiting = createDoorbell().wait(LONG_MS, stopping.signal)
  stopping.abort()
  await waiting
})
