import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createChainPulse } from './chainPulse.ts'

const TIMES = { lateMs: 40, silenceMs: 200, pauseMs: 10 }
const beat = (latencyMs: number) => ({ head: 7n, latencyMs })

test('default: a node that answers is up, with its head and latency', async () => {
  const pulse = createChainPulse(async () => beat(0), TIMES)
  expect(await pulse.check()).toEqual({ status: 'up', head: 7n, latencyMs: expect.any(Number) })
})

test('behavior: a late one is slow, with the time so far and then its latency, and up again when it is quick', async () => {
  let asked = 0
  let delayMs = 120
  const pulse = createChainPulse(async () => {
    asked += 1
    await sleep(delayMs)
    return beat(delayMs)
  }, TIMES)
  const [first, second] = await Promise.all([pulse.check(), pulse.check()])
  expect(first).toMatchObject({ status: 'slow' })
  expect(second).toMatchObject({ status: 'slow' })
  expect(asked).toBe(1)
  await sleep(120)
  const later = await pulse.check()
  expect(later.status === 'slow' && later.latencyMs).toBeGreaterThan(100)
  expect(asked).toBe(2)
  delayMs = 0
  await expect.poll(() => pulse.check()).toMatchObject({ status: 'up' })
})

test('behavior: down only after three questions without an answer, and up after the next answer', async () => {
  let asked = 0
  let isSilent = true
  const pulse = createChainPulse(async () => {
    asked += 1
    await sleep(30)
    if (isSilent) throw new Error('no answer')
    return beat(30)
  }, TIMES)
  expect(await pulse.check()).toMatchObject({ status: 'slow' })
  expect(asked).toBeLessThan(3)
  await expect.poll(() => pulse.check()).toEqual({ status: 'down' })
  expect(asked).toBeGreaterThanOrEqual(3)
  isSilent = false
  await expect.poll(() => pulse.check()).toMatchObject({ status: 'up', head: 7n })
})
