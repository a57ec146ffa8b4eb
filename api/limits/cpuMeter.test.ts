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

test('behavior: a thread that has no processor uses no CPU time', () => {
  const stop = createCpuMeter().start()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  expect(stop()).toBeLessThan(250)
})
