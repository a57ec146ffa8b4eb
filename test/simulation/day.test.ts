import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProductFolder, type ProductFolder, START_MS } from '../start/startedProduct.ts'
import { runDay } from './dayRounds.ts'

/** `npm run simulate -- day` plays a whole day, and also checks how long a start takes. */
const HOURS = 1

let folder: ProductFolder
beforeAll(async () => {
  folder = await createProductFolder()
})
afterAll(() => folder?.remove())

test('behavior: a world that ran for long is small, and a restart or a kill changes no answer', {
  timeout: 3 * START_MS + 120_000,
}, async () => {
  const report = await runDay({
    folder,
    hours: HOURS,
    ordersPerHour: 6,
    print: () => {},
  })
  expect(report.changed).toEqual([])
  expect(report.lostOrders).toEqual([])
  expect(report.reads).toBeGreaterThan(90)
  // A day is 24 times this and stays below 1,500 and 1,000.
  expect(report.memoryMb).toBeLessThan(700)
  expect(report.diskMb).toBeLessThan(20)
  expect(report.writtenMbPerSecond).toBeLessThan(1)
})
