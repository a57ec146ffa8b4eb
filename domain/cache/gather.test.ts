import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gather } from './gather.ts'

const LEAST_MS = 200

test('default: calls of one turn, and those while a read runs, are one read each', async () => {
  const reads: string[] = []
  const ask = gather(async (ids: number[]) => {
    reads.push(ids.join())
    await sleep(20)
    return ids.join()
  })
  const first = [ask(1), ask(2)]
  await sleep(5)
  expect(await Promise.all([...first, ask(3), ask(4)])).toEqual(['1,2', '1,2', '3,4', '3,4'])
  expect(reads).toEqual(['1,2', '3,4'])
})

test('behavior: reads begin no sooner after each other than they may', async () => {
  const begun: number[] = []
  const ask = gather(async (ids: number[]) => {
    begun.push(performance.now())
    return ids.join()
  }, LEAST_MS)
  await ask(1)
  expect(await Promise.all([ask(2), ask(3)])).toEqual(['2,3', '2,3'])
  const [one = 0, two = 0] = begun
  expect(two - one).toBeGreaterThanOrEqual(LEAST_MS - 1)
})
