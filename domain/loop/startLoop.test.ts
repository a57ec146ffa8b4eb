import { expect, test } from 'vitest'
import { repeat, startLoop } from './startLoop.ts'

const LONG_MS = 60_000
const never = new AbortController().signal

test('default: until a run resolves to true', async () => {
  let runs = 0
  const run = async () => ++runs === 3
  expect(await repeat({ run, everyMs: 1 }, never)).toBe(true)
  expect(runs).toBe(3)
})

test('behavior: a failure is reported and tried again; without a report it ends the loop', async () => {
  const failures: unknown[] = []
  const run = async () => failures.length === 2 || Promise.reject(failures.length)
  await repeat({ run, everyMs: 1, onFailure: (error) => failures.push(error) }, never)
  expect(failures).toEqual([0, 1])
  await expect(repeat({ run: () => Promise.reject('down'), everyMs: 1 }, never)).rejects.toBe(
    'down',
  )
})

test('behavior: a stop ends the pause, and waits for the run', async () => {
  let isOver = false
  const loop = startLoop({
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      isOver = true
    },
    everyMs: () => LONG_MS,
    onFailure: () => {},
  })
  await loop.stop()
  expect(isOver).toBe(true)
})
