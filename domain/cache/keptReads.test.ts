import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../error/serviceError.ts'
import { createKeptReads, createReadStore } from './keptReads.ts'

const SILENT = new ServiceError('RPC_UNAVAILABLE', 'no node answers')

/** Each read returns the number of reads so far, a turn later; `fail` makes the next reads fail. Time moves by `advance`. */
function counted(times: { lifeMs?: number; refreshMs?: number; failureLifeMs?: number }) {
  let count = 0
  let isFailing = false
  let now = 0
  const store = createReadStore('test', { max: 10, clock: { now: () => now } })
  const options = { name: 'counted', keyOf: (of: string) => of, ...times }
  const reads = createKeptReads(store, options, async () => {
    count += 1
    await turn()
    if (isFailing) throw new Error(`read ${count}`)
    return count
  })
  return {
    get: () => reads.get('it'),
    count: () => count,
    fail: (is: boolean) => (isFailing = is),
    async advance(ms: number) {
      // A refresh that is under way ends first.
      await turn()
      await turn()
      now += ms
    },
  }
}

describe('createKeptReads', () => {
  test('default: simultaneous calls share a read, and later ones its answer while it is valid', async () => {
    const { get, count, advance } = counted({ lifeMs: 200 })
    expect(await Promise.all([get(), get()])).toEqual([1, 1])
    expect(await get()).toBe(1)
    await advance(220)
    expect(await get()).toBe(2)
    expect(count()).toBe(2)
  })

  test('behavior: after a while the answer is refreshed, and no call waits for that', async () => {
    const { get, count, advance } = counted({ lifeMs: 1_000, refreshMs: 100 })
    await get()
    await advance(110)
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1])
    expect(count()).toBe(2)
    await advance(30)
    expect(await get()).toBe(2)
    expect(count()).toBe(2)
  })

  test('error: one that fails then changes nothing until the answer is not good any more', async () => {
    const { get, count, fail, advance } = counted({ lifeMs: 300, refreshMs: 50 })
    await get()
    fail(true)
    await advance(60)
    for (let asked = 0; asked < 5; asked += 1) expect(await get()).toBe(1)
    expect(count()).toBe(2)
    await advance(300)
    await expect(get()).rejects.toThrow('read 3')
    fail(false)
    expect(await get()).toBe(4)
  })

  test('behavior: an answer is as old as its question, also after a refresh', async () => {
    const { get, advance } = counted({ lifeMs: 100, refreshMs: 10 })
    await get()
    await advance(15)
    await get()
    await advance(105)
    expect(await get()).toBe(3)
  })

  test('error: a failure is returned for its lifetime, then read again', async () => {
    const { get, count, fail, advance } = counted({
      lifeMs: 1_000,
      refreshMs: 10,
      failureLifeMs: 100,
    })
    fail(true)
    await expect(get()).rejects.toThrow('read 1')
    await advance(20)
    await expect(get()).rejects.toThrow('read 1')
    expect(count()).toBe(1)
    await advance(100)
    fail(false)
    expect(await get()).toBe(2)
  })
})

/** Each read returns the number of reads so far, at once; `next` gives later reads another end. */
function countedByHand() {
  let count = 0
  let now = 0
  let end: () => Promise<void> = async () => {}
  const clock = { now: () => performance.now() + now }
  const store = createReadStore('test', { max: 10, maxStaleMs: 20_000, clock })
  const options = { name: 'of_chains', keyOf: String, lifeMs: 5_000 }
  const reads = createKeptReads(store, options, async (_: number) => {
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
    advance(ms: number) {
      now += ms
    },
  }
}

describe('createKeptReads, last answers', () => {
  test('default: a valid answer is not stale, and is read again after its life', async () => {
    const { lastKnown, advance } = countedByHand()
    expect([await lastKnown(), await lastKnown()]).toEqual([
      [1, false],
      [1, false],
    ])
    advance(5_100)
    expect(await lastKnown()).toEqual([2, false])
  })

  test('behavior: while reads fail, the last answer, up to its greatest age; `get` has none', async () => {
    const { get, lastKnown, advance, next } = countedByHand()
    await get()
    next(() => Promise.reject(SILENT))
    advance(5_100)
    expect(await lastKnown()).toEqual([1, true])
    await expect(get()).rejects.toBe(SILENT)
    advance(14_000)
    expect(await lastKnown()).toEqual([1, true])
    advance(1_000)
    await expect(lastKnown()).rejects.toBe(SILENT)
    next(async () => {})
    expect((await lastKnown())[1]).toBe(false)
  })

  test('behavior: only the first call waits for a late read, of which there is one at a time', async () => {
    const { lastKnown, advance, next, count } = countedByHand()
    await lastKnown()
    const late = Promise.withResolvers<void>()
    next(() => late.promise)
    advance(5_100)
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
    const { lastKnown, advance, next } = countedByHand()
    next(() => Promise.reject(SILENT))
    await expect(lastKnown()).rejects.toBe(SILENT)
    next(async () => {})
    await lastKnown()
    const bug = new Error('a bug')
    next(() => Promise.reject(bug))
    advance(5_100)
    await expect(lastKnown()).rejects.toBe(bug)
  })
})

describe('createReadStore', () => {
  test('behavior: reads of one store have entries of their own', async () => {
    const store = createReadStore('test', { max: 10 })
    const options = { keyOf: String }
    const some = createKeptReads(store, { ...options, name: 'some' }, async (of: number) => of)
    const others = createKeptReads(store, { ...options, name: 'others' }, async () => 'other')
    expect([await some.get(1), await others.get(1)]).toEqual([1, 'other'])
    expect(store.entries.size).toBe(2)
  })

  test('behavior: an answer is known while it is valid, without a read', async () => {
    let now = 0
    const store = createReadStore('test', { max: 10, clock: { now: () => now } })
    const options = { name: 'answers', keyOf: String, lifeMs: 5 }
    const { get, known } = createKeptReads(store, options, async (of: number) => of)
    expect(known(1)).toBeUndefined()
    await get(1)
    expect(known(1)).toBe(1)
    now = 5
    expect(known(1)).toBeUndefined()
  })

  test('error: a failure without a life takes no place', async () => {
    const store = createReadStore('test', { max: 10 })
    const { get } = createKeptReads(store, { name: 'failures', keyOf: String }, async () => {
      throw new Error('refused')
    })
    await expect(get(1)).rejects.toThrow('refused')
    expect(store.entries.size).toBe(0)
  })
})
