import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createSharedReads } from './sharedReads.ts'

/** Each read returns the number of reads so far; `fail` makes the next reads fail. */
function counted(times: { lifeMs?: number; refreshMs?: number; failureLifeMs?: number }) {
  let count = 0
  let isFailing = false
  const options = { name: 'test', keyOf: (of: string) => of, max: 10, ...times }
  const reads = createSharedReads(options, async () => {
    count += 1
    await sleep(20)
    if (isFailing) throw new Error(`read ${count}`)
    return count
  })
  return { get: () => reads.get('it'), count: () => count, fail: (is: boolean) => (isFailing = is) }
}

describe('createSharedReads', () => {
  test('default: simultaneous calls share a read, and later ones its answer while it is valid', async () => {
    const { get, count } = counted({ lifeMs: 200 })
    expect(await Promise.all([get(), get()])).toEqual([1, 1])
    expect(await get()).toBe(1)
    await sleep(220)
    expect(await get()).toBe(2)
    expect(count()).toBe(2)
  })

  test('behavior: after a while the answer is refreshed, and no call waits for that', async () => {
    const { get, count } = counted({ lifeMs: 1_000, refreshMs: 100 })
    await get()
    await sleep(110)
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1])
    expect(count()).toBe(2)
    await sleep(30)
    expect(await get()).toBe(2)
    expect(count()).toBe(2)
  })

  test('error: one that fails then changes nothing until the answer is not good any more', async () => {
    const { get, count, fail } = counted({ lifeMs: 300, refreshMs: 50 })
    await get()
    fail(true)
    await sleep(60)
    for (let asked = 0; asked < 5; asked += 1) expect(await get()).toBe(1)
    expect(count()).toBe(2)
    await sleep(300)
    await expect(get()).rejects.toThrow('read 3')
    fail(false)
    expect(await get()).toBe(4)
  })

  test('behavior: an answer is as old as its question, also after a refresh', async () => {
    const { get } = counted({ lifeMs: 100, refreshMs: 10 })
    await get()
    await sleep(15)
    await get()
    await sleep(105)
    expect(await get()).toBe(3)
  })

  test('error: a failure is returned for its lifetime, then read again', async () => {
    const { get, count, fail } = counted({ lifeMs: 1_000, refreshMs: 10, failureLifeMs: 100 })
    fail(true)
    await expect(get()).rejects.toThrow('read 1')
    await sleep(20)
    await expect(get()).rejects.toThrow('read 1')
    expect(count()).toBe(1)
    await sleep(100)
    fail(false)
    expect(await get()).toBe(2)
  })
})
