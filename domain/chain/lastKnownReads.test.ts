import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../error/serviceError.ts'
import { createLastKnownReads } from './lastKnownReads.ts'

const SILENT = new ServiceError('RPC_UNAVAILABLE', 'no node answers')

/** Each read returns the number of reads so far, at once; `next` gives later reads another end. */
function counted() {
  let count = 0
  let now = 0
  let end: () => Promise<void> = async () => {}
  const clock = { now: () => performance.now() + now }
  const options = { name: 'test', keyOf: String, max: 10, lifeMs: 5_000, maxStaleMs: 20_000, clock }
  const reads = createLastKnownReads(options, async (_: number) => {
    count += 1
    const mine = count
    await end()
    return mine
  })
  return {
    get: () => reads.get(1),
    async lastKnown() {
      const { value, isStale } = await reads.lastKnown(1)
      return [value, isStale]
    },
    count: () => count,
    next: (until: () => Promise<void>) => {
      end = until
    },
    async advance(ms: number) {
      now += ms
      // The cache reads its clock once per millisecond.
      await sleep(3)
    },
  }
}

describe('createLastKnownReads', () => {
  test('default: a valid answer is not stale, and is read again after its life', async () => {
    const { lastKnown, advance } = counted()
    expect([await lastKnown(), await lastKnown()]).toEqual([
      [1, false],
      [1, false],
    ])
    await advance(5_100)
    expect(await lastKnown()).toEqual([2, false])
  })

  test('behavior: while reads fail, the last answer, up to its greatest age; `get` has none', async () => {
    const { get, lastKnown, advance, next } = counted()
    await get()
    next(() => Promise.reject(SILENT))
    await advance(5_100)
    expect(await lastKnown()).toEqual([1, true])
    await expect(get()).rejects.toBe(SILENT)
    await advance(14_000)
    expect(await lastKnown()).toEqual([1, true])
    await advance(1_000)
    await expect(lastKnown()).rejects.toBe(SILENT)
    next(async () => {})
    expect((await lastKnown())[1]).toBe(false)
  })

  test('behavior: only the first call waits for a late read, of which there is one at a time', async () => {
    const { lastKnown, advance, next, count } = counted()
    await lastKnown()
    const late = Promise.withResolvers<void>()
    next(() => late.promise)
    await advance(5_100)
    const start = performance.now()
    expect(await lastKnown()).toEqual([1, true])
    const waited = performance.now() - start
    expect(waited).toBeGreaterThan(900)
    for (let call = 0; call < 20; call += 1) expect(await lastKnown()).toEqual([1, true])
    // Twenty waits would be twenty seconds.
    expect(performance.now() - start).toBeLessThan(waited + 1_000)
    expect(count()).toBe(2)
    late.resolve()
    await expect.poll(lastKnown).toEqual([2, false])
  })

  test('error: without a last answer, the failure; another error than of nodes, always', async () => {
    const { lastKnown, advance, next } = counted()
    next(() => Promise.reject(SILENT))
    await expect(lastKnown()).rejects.toBe(SILENT)
    next(async () => {})
    await lastKnown()
    const bug = new Error('a bug')
    next(() => Promise.reject(bug))
    await advance(5_100)
    await expect(lastKnown()).rejects.toBe(bug)
  })
})
