import { expect, test } from 'vitest'
import { pause } from './pause.ts'

const LONG_MS = 60_000

test('default: for so long', async () => {
  const since = performance.now()
  await pause(50, new AbortController().signal)
  expect(performance.now() - since).toBeGreaterThanOrEqual(49)
})

test('behavior: until it is aborted, at once where it is already', async () => {
  const stopping = new AbortController()
  const waiting = pause(LONG_MS, stopping.signal)
  stopping.abort()
  await waiting
  await pause(LONG_MS, stopping.signal)
})
