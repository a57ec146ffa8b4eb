import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { createOrderWatch, type OrderWatch } from '../../../domain/transit/orders/orderWatch.ts'
import { createResourceWatch } from '../../../domain/watch/resourceWatch.ts'
import {
  insertOrder,
  insertOrders,
  orderRow,
  updateDestinations,
} from '../../support/insertOrder.ts'
import { createOrderReader } from '../../support/orderReader.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'

const WAITERS = 500
let database: TestDatabase
let sql: Sql
let statements = 0
let notify: () => void
let watch: OrderWatch

beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  sql = connect(database.url, { applicationName: 'test', max: 4 })
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})
beforeEach(() => {
  // The real client, with a count of its statements.
  const counting = new Proxy(sql, {
    apply(target, self, call) {
      statements += 1
      return Reflect.apply(target, self, call)
    },
    get(target, name) {
      if (name !== 'unsafe') return Reflect.get(target, name)
      // Without parameters it is a part of another statement.
      return (...call: Parameters<Sql['unsafe']>) => {
        if (call.length > 1) statements += 1
        return target.unsafe(...call)
      }
    },
  })
  watch = createOrderWatch(createOrderReader(counting), (onChange) => {
    notify = onChange
    return () => {}
  })
  return () => watch.stop()
})

describe('createResourceWatch', () => {
  test('behavior: all waiters share the statements of a notification', async () => {
    const ids = await insertSome(10)
    const seen = await versions(ids)
    let woken = 0
    const waits = Array.from({ length: WAITERS }, (_, index) => {
      const id = ids[index % ids.length] as Hex
      return watch.next(id, seen.get(id) ?? null, { timeoutMs: 20_000 }).then(() => {
        woken += 1
      })
    })
    await settle()
    expect(woken).toBe(0)

    statements = 0
    await updateDestinations(sql, ids, { status: 'PROCESSED' })
    notify()
    await Promise.all(waits)
    // The heads, then the orders; or a look that was under way has found the change.
    expect(statements).toBeLessThanOrEqual(3)
  })

  test('behavior: an order that cannot be read keeps no other from waking', async () => {
    const [id] = (await insertSome(1)) as [Hex]
    const seen = (await versions([id])).get(id) ?? null
    const bad = orderRow({ id: `0x${'66'.repeat(32)}`, amount_due: null })
    await insertOrder(sql, bad)
    const gone = new AbortController()
    void watch.next(bad.id, null, { timeoutMs: 20_000, signal: gone.signal })
    const wait = watch.next(id, seen, { timeoutMs: 20_000 }).then(() => 'woken')
    await settle()
    await updateDestinations(sql, [id], { status: 'REMOVED' })
    const startedAt = performance.now()
    notify()
    expect(await wait).toBe('woken')
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    gone.abort()
  })

  test('behavior: an unknown order wakes its waiter when it appears', async () => {
    const row = orderRow({ id: `0x${'77'.repeat(32)}` })
    const wait = watch.next(row.id, null, { timeoutMs: 20_000 }).then(() => 'woken')
    await settle()
    await insertOrder(sql, row)
    const startedAt = performance.now()
    notify()
    expect(await wait).toBe('woken')
    // At its end a wait resolves too.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('behavior: a change between the read and the wait is not slept through', async () => {
    const [id] = (await insertSome(1)) as [Hex]
    const before = (await versions([id])).get(id) ?? null
    await updateDestinations(sql, [id], { remaining: '1' })
    const startedAt = performance.now()
    await watch.next(id, before, { timeoutMs: 20_000 })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('behavior: a step that a reorganisation put into another block wakes a waiter', async () => {
    const [id] = (await insertSome(1)) as [Hex]
    const seen = (await versions([id])).get(id) ?? null
    let isWoken = false
    const wait = watch.next(id, seen, { timeoutMs: 60_000 }).then(() => {
      isWoken = true
    })
    await settle()
    expect(isWoken).toBe(false)
    await updateDestinations(sql, [id], { transaction_hash: `0x${'ab'.repeat(32)}` })
    notify()
    await expect.poll(() => isWoken, { timeout: 10_000 }).toBe(true)
    await wait
  })

  test('behavior: a new wait reads its own resource, not those of all others', async () => {
    const reads: string[] = []
    const counting = createResourceWatch(
      {
        async read(id: string) {
          reads.push(id)
          return id
        },
        version: () => 'same',
      },
      () => () => {},
    )
    onTestFinished(() => counting.stop())
    for (let index = 0; index < 100; index += 1) {
      void counting.next(`${index}`, 'same', { timeoutMs: 20_000 })
      await Promise.resolve()
    }
    expect(reads).toHaveLength(100)
  })

  test('behavior: the end of the wait, an abort and a stop let go', async () => {
    const [id] = (await insertSome(1)) as [Hex]
    const seen = (await versions([id])).get(id) ?? null
    await watch.next(id, seen, { timeoutMs: 50 })

    const gone = new AbortController()
    const aborted = watch.next(id, seen, { timeoutMs: 20_000, signal: gone.signal })
    gone.abort()
    await aborted

    const stopped = watch.next(id, seen, { timeoutMs: 20_000 })
    watch.stop()
    await stopped
    await watch.next(id, seen, { timeoutMs: 20_000 })
  })
})

let next = 0
async function insertSome(count: number): Promise<Hex[]> {
  const ids = Array.from({ length: count }, (): Hex => {
    next += 1
    return `0x${next.toString(16).padStart(64, '0')}`
  })
  await insertOrders(
    sql,
    ids.map((id) => orderRow({ id })),
  )
  return ids
}

async function versions(ids: Hex[]): Promise<Map<Hex, string>> {
  const read = createOrderReader(sql)
  const found = await Promise.all(ids.map(read))
  const orders = found.flatMap(({ order }) => order ?? [])
  return new Map(orders.map((order) => [order.id, watch.version(order)]))
}

/** Long enough for the first check that every new waiter causes. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200))
}
