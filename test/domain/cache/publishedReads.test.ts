import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { createPublishedReads, forgetPublishedReads } from '../../../domain/cache/publishedReads.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

const MAX_AGE_MS = 60_000
/** A process that still waited would look again within this time. */
const LOOKED_AGAIN_MS = 3_000

let database: TestDatabase
const connections: ReturnType<typeof connect>[] = []
const connection = (url = database.url) => {
  const sql = connect(url, { applicationName: 'test', max: 2 })
  connections.push(sql)
  return sql
}
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => connection()`truncate app.published_read`)
afterAll(async () => {
  await Promise.all(connections.map((sql) => sql.end()))
  await database.drop()
})

/** A process that reads `value`, or what it is told. */
function process(value: unknown, { hash = 'of the test', url = database.url } = {}) {
  const reads = createPublishedReads(connection(url), hash)
  const read = vi.fn(async () => value)
  const get = (key = 'it', maxAgeMs = MAX_AGE_MS) =>
    reads.get({ name: 'test', key, maxAgeMs, read })
  return { get, read }
}

const readsOf = (processes: { read: { mock: { calls: unknown[] } } }[]) =>
  processes.reduce((sum, { read }) => sum + read.mock.calls.length, 0)

const untilPublished = (key = 'of the test:it') =>
  until(async () => {
    const rows = await connection()`
      select from app.published_read where key = ${key} and answer is not null`
    return rows.length === 1
  })

describe('createPublishedReads', () => {
  test('default: one process reads, and all have its answer, of any type, with its age', async () => {
    const value = { at: new Map([['0xab', 1n]]), of: new Set([1]), none: null, no: undefined }
    const [one, other] = [process(value), process('of another')]
    expect(await one.get()).toEqual({
      value,
      ageMs: expect.any(Number),
      spread: expect.any(Number),
    })
    await untilPublished()
    await sleep(50)
    const found = await other.get()
    expect(found.value).toEqual(value)
    expect(found.ageMs).toBeGreaterThan(50)
    expect(found.spread).toBe((await process('again').get()).spread)
    expect([one.read, other.read].map((read) => read.mock.calls.length)).toEqual([1, 0])
  })

  test('behavior: of many that ask at once, each for many keys, one reads each', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`)
    const processes = Array.from({ length: 6 }, (_, index) => process(index))
    // Each opens its connections.
    for (const { get } of processes) await get()
    const before = readsOf(processes)
    const answers = await Promise.all(
      processes.map(({ get }, index) =>
        Promise.all((index % 2 ? keys : keys.toReversed()).map((key) => get(key))),
      ),
    )
    // On a busy machine some do not wait for the answer of another.
    expect(readsOf(processes) - before).toBeLessThan(2 * keys.length)
    expect(answers.flat()).toHaveLength(keys.length * processes.length)
  })

  test('behavior: an answer that is too old for a process is read again', async () => {
    const [one, other] = [process(1), process(2)]
    await one.get()
    await untilPublished()
    await sleep(100)
    expect((await other.get('it', 50)).value).toBe(2)
    await until(async () => (await one.get()).value === 2)
  })

  test('behavior: processes of another version, book or nodes share nothing', async () => {
    const [one, other] = [process(1), process(2, { hash: 'another' })]
    await one.get()
    await untilPublished()
    expect((await other.get()).value).toBe(2)
  })

  test('error: a read that fails is not published, and the next process reads', async () => {
    const [one, other] = [process(1), process(2)]
    one.read.mockRejectedValue(new Error('no node answers'))
    await expect(one.get()).rejects.toThrow('no node answers')
    expect((await other.get()).value).toBe(2)
  })

  test('error: a process that never answers holds up no other one, and what it reads too late is not published', async () => {
    const [dead, other] = [process(1), process(2)]
    const late = Promise.withResolvers<number>()
    dead.read.mockReturnValue(late.promise)
    const reading = dead.get()
    await until(() => dead.read.mock.calls.length === 1)
    const since = performance.now()
    expect((await other.get()).value).toBe(2)
    expect(performance.now() - since).toBeLessThan(2_000)
    // Its lease ends, and another process takes it.
    await connection()`update app.published_read set leased_at = leased_at - interval '4 s'`
    expect((await other.get()).value).toBe(2)
    await untilPublished()
    late.resolve(1)
    expect((await reading).value).toBe(1)
    await sleep(100)
    expect((await process(3).get()).value).toBe(2)
  })

  test('error: a process that has waited in vain takes no right to read later', async () => {
    const [dead, other] = [process(1), process(2)]
    const late = Promise.withResolvers<number>()
    dead.read.mockReturnValue(late.promise)
    const reading = dead.get()
    await until(() => dead.read.mock.calls.length === 1)
    expect((await other.get()).value).toBe(2)
    const readerOf = async () => {
      const [row] = await connection()<{ reader: string }[]>`select reader from app.published_read`
      return row?.reader
    }
    const before = await readerOf()
    await connection()`update app.published_read set leased_at = leased_at - interval '4 s'`
    await sleep(LOOKED_AGAIN_MS)
    expect(await readerOf()).toBe(before)
    late.resolve(1)
    await reading
  })

  test('error: a right to read that comes too late is given back', async () => {
    const [slow, other] = [process(1), process(2)]
    await connection().begin(async (transaction) => {
      await transaction`lock table app.published_read in access exclusive mode`
      expect((await slow.get()).value).toBe(1)
    })
    await until(async () => {
      const rows = await connection()`select from app.published_read where reader is null`
      return rows.length === 1
    })
    expect((await other.get()).value).toBe(2)
    expect(other.read).toHaveBeenCalledOnce()
  })

  test('error: without the database each process reads', async () => {
    const { get } = process(1, { url: 'postgres://nobody@127.0.0.1:1/none' })
    expect((await get()).value).toBe(1)
  })

  test('behavior: what nobody uses any more is deleted', async () => {
    await process(1).get('old')
    await process(1).get('new')
    await connection()`
      update app.published_read set leased_at = leased_at - interval '1 hour'
      where key = 'of the test:old'`
    await forgetPublishedReads(connection())
    const rows = await connection()`select key from app.published_read`
    expect(rows.map(({ key }) => key)).toEqual(['of the test:new'])
  })
})
