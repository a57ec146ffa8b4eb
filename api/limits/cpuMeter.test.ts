import { expect, test } from 'vitest'
import { createCpuMeter } from './cpuMeter.ts'

test('default: requests at work share what the process works', () => {
  let busyMs = 100
  const meter = createCpuMeter(() => busyMs)
  busyMs += 50
  const first = meter.start()
  busyMs += 10
  const second = meter.start()
  busyMs += 20
  expect(first()).toBe(20)
  busyMs += 5
  expect(second()).toBe(15)
  busyMs += 50
  expect(meter.start()()).toBe(0)
})
