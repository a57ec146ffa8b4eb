import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { serveBuild } from '../../../db/indexBuilds.ts'
import { connect } from '../../../db/sql.ts'
import { orderListQuery } from '../../../domain/transit/orders/orderListQuery.ts'
import { createOrderReads } from '../../../domain/transit/orders/orderRows.ts'
import { createOrdersById, type OrdersById } from '../../../domain/transit/orders/ordersById.ts'
import { selectPageByOrders } from '../../../domain/transit/orders/selectPageByOrders.ts'
import { testAddressBook } from '../../support/addressBook.ts'
import { deleteOrders, insertOrder, orderRow, updateDeliveries } from '../../support/insertOrder.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'
import { BUILD, replaceHeads, setReady } from '../../support/testIndex.ts'

const tokens = {
  listed: () => undefined,
  known: () => undefined,
  get: () => Promise.reject(new Error('no decimals are needed')),
}

describe('ordersById', () => {
  let database: TestDatabase
  let sql: Sql
  let orders: OrdersById
  beforeAll(async () => {
    database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
    sql = connect(database.url, { applicationName: 'test', max: 4 })
    orders = createOrdersById({ tokens }, createOrderReads(sql))
  })
  afterAll(async () => {
    await sql?.end()
    await database?.drop()
  })

  const read = async (id: Hex) => (await orders.read(id)).order
  const moveHeads = (blocks: number) =>
    sql`update facts.chain_head set block_number = block_number + ${blocks}`

  test('behavior: the same object until something about the order changes', async () => {
    const { id } = orderRow()
    await insertOrder(sql, orderRow())
    const first = await read(id)
    expect(first?.finalized).toBe(false)
    await moveHeads(1)
    expect(await read(id)).toBe(first)

    await updateDeliveries(sql, [id], { remaining: '1' })
    const second = await read(id)
    expect(second?.remainingAmountDue).toBe(1n)
    expect(await read(id)).toBe(second)

    // A reorganisation deletes rows.
    await sql`delete from facts.transit_execution where order_id = ${id}`
    await replaceHeads(sql)
    const third = await read(id)
    expect(third?.executions).toEqual([])
    expect(await read(id)).toBe(third)

    await moveHeads(1_000)
    expect((await read(id))?.finalized).toBe(true)
  })

  test('behavior: an order that a reorganisation takes back, and that comes again', async () => {
    const row = orderRow({ id: `0x${'22'.repeat(32)}` })
    await insertOrder(sql, row)
    expect(await read(row.id)).toBeDefined()
    await sql`delete from facts.transit_submission where order_id = ${row.id}`
    await replaceHeads(sql)
    // Its destination still knows it.
    expect((await read(row.id))?.user).toBeNull()
    await deleteOrders(sql)
    const gone = await orders.read(row.id)
    expect(gone.order).toBeUndefined()
    await insertOrder(sql, row)
    expect((await read(row.id))?.user).toBe(row.user_address)
  })

  describe('while no block has changed a row of its chains', () => {
    const row = orderRow({ id: `0x${'55'.repeat(32)}` })
    const due = async () => (await read(row.id))?.remainingAmountDue
    /** A change of a row without a new head, which no indexer makes, shows whether rows are read. */
    const changeRow = (remaining: string) =>
      sql`update facts.transit_delivery set remaining = ${remaining} where order_id = ${row.id}`
    beforeAll(async () => {
      await insertOrder(sql, row)
      await read(row.id)
    })

    test('default: its rows are not read', async () => {
      const before = await due()
      await changeRow('11')
      expect(await due()).toBe(before)
    })

    test('behavior: nor after blocks without a log, whose progress is answered', async () => {
      const before = await due()
      await changeRow('16')
      await sql`update facts.chain_head set block_number = block_number + 1, block_hash = 'empty' || block_hash`
      const { order, progress } = await orders.read(row.id)
      expect(order?.remainingAmountDue).toBe(before)
      const [head] = await sql<{ block: bigint }[]>`
        select block_number as block from facts.chain_head where chain_id = 4663`
      const answered = progress.find(({ chain_id }) => chain_id === 4663)
      expect(answered?.block_number).toBe(Number(head?.block))
    })

    test('behavior: a block without a log that finalizes a step', async () => {
      const moveHeadsTo = (block: number) =>
        sql`update facts.chain_head set block_number = ${block}`
      await moveHeadsTo(100)
      expect((await read(row.id))?.finalized).toBe(false)
      await changeRow('17')
      await moveHeadsTo(1_100)
      const order = await read(row.id)
      expect([order?.finalized, order?.remainingAmountDue]).toEqual([true, 17n])
    })

    test('behavior: another block of the same number, with its own logs', async () => {
      await changeRow('12')
      await replaceHeads(sql)
      expect(await due()).toBe(12n)
    })

    test.each([1, 4663])('behavior: a block of chain %i alone', async (chainId) => {
      await changeRow(`2${chainId}`)
      await sql`
        update facts.chain_head
        set block_hash = 'other' || block_hash, last_change_hash = 'other' || block_hash
        where chain_id = ${chainId}`
      expect(await due()).toBe(BigInt(`2${chainId}`))
    })

    test('behavior: every block of a build that does not note the last change', async () => {
      await sql`alter table facts.chain_head alter last_change_hash drop not null`
      const heads = await sql<{ chain_id: number; last_change_hash: string }[]>`
        select chain_id, last_change_hash from facts.chain_head`
      await sql`update facts.chain_head set last_change_hash = null`
      await due()
      await changeRow('18')
      expect(await due()).not.toBe(18n)
      await sql`update facts.chain_head set block_hash = 'next' || block_hash`
      expect(await due()).toBe(18n)
      for (const { chain_id, last_change_hash } of heads)
        await sql`update facts.chain_head set ${sql({ last_change_hash })} where chain_id = ${chain_id}`
    })

    test('behavior: the same heads of a build that is served anew', async () => {
      await changeRow('13')
      await serveBuild(
        sql,
        { postgresSchema: BUILD, chainIds: [1, 4663], buildHash: 'test' },
        testAddressBook.chains,
      )
      expect(await due()).toBe(13n)
    })

    test('behavior: an index that is not ready may have rows above its head', async () => {
      await setReady(sql, 4663, false)
      await changeRow('14')
      expect(await due()).toBe(14n)
      await changeRow('15')
      expect(await due()).toBe(15n)
      await setReady(sql, 4663, true)
    })

    test('behavior: the progress is always read', async () => {
      await read(row.id)
      await setReady(sql, 1, false)
      const { progress } = await orders.read(row.id)
      expect(progress.find(({ chain_id }) => chain_id === 1)?.is_ready).toBe(false)
      await setReady(sql, 1, true)
    })
  })

  test('behavior: the progress is that of the moment of the rows, however soon another block comes', async () => {
    const row = orderRow({ id: `0x${'66'.repeat(32)}` })
    await insertOrder(sql, row)
    const blocks = async () =>
      (await orders.readAgain(row.id)).progress.map(({ block_number }) => Number(block_number))
    for (let moves = 0; moves < 10; moves++) {
      const before = await blocks()
      await moveHeads(1)
      expect(await blocks()).toEqual(before.map((block) => block + 1))
    }
  })

  describe('while its tables are locked', () => {
    const row = orderRow({ id: `0x${'77'.repeat(32)}` })
    const events = ['bridging', 'delivery', 'execution', 'removal', 'submission', 'tombstone']
    const tables = events.map((event) => `transit_${event}`)
    beforeAll(() => insertOrder(sql, row))

    test.each([
      ['Ponder takes rows back', 'facts', ['chain_head'], tables],
      ['the views are replaced', 'read', ['chain_progress'], ['chain_finality', ...tables]],
    ])(
      'behavior: %s: the read waits, and holds nothing that is locked after',
      async (_, schema, first, last) => {
        for (let reads = 0; reads < 2; reads++) await orders.readAgain(row.id)
        const lock = (names: string[]) =>
          `lock table ${names.map((name) => `${schema}.${name}`).join()} in access exclusive mode nowait`
        const { reading } = await sql.begin(async (locker) => {
          await locker.unsafe(lock(first))
          const waiting = orders.readAgain(row.id)
          await vi.waitFor(async () => {
            const waits = await sql`select from pg_locks where not granted`
            expect(waits.count).toBe(1)
          })
          await locker.unsafe(lock(last))
          // In an object, because the transaction would wait for a promise.
          return { reading: waiting }
        })
        expect((await reading).order?.id).toBe(row.id)
      },
    )
  })

  describe('a page of orders', () => {
    const userAddress = `0x${'ab'.repeat(20)}` as const
    const row = orderRow({ id: `0x${'88'.repeat(32)}`, user_address: userAddress })
    const query = orderListQuery({ appSecret: new Uint8Array(32) }, { userAddress, pageSize: 25 })
    /** The page; `change` happens after its list was read, before its orders are. */
    const pageOf = async (change: () => Promise<unknown> = async () => {}) => {
      const reads = createOrderReads(sql)
      const readListed = (id: Hex) => change().then(() => reads.orderRows.readListed(id))
      const orderReads = { ...reads, orderRows: { ...reads.orderRows, readListed } }
      return selectPageByOrders({ orderReads, addressBook: testAddressBook }, query)
    }
    beforeAll(() => insertOrder(sql, row))

    test('default: its rows, with the progress of all chains', async () => {
      const page = await pageOf()
      expect(page?.rows.map(({ id }) => id)).toEqual([row.id])
      expect(page?.heads.progress).toHaveLength(2)
    })

    test('behavior: something else in the database changed meanwhile', async () => {
      const page = await pageOf(() => sql`update app.index_high_water set updated_at = now()`)
      expect(page?.rows).toHaveLength(1)
    })

    test.each([
      ['a chain has another head', () => updateDeliveries(sql, [row.id], { remaining: '1' })],
      ['an order is gone', () => deleteOrders(sql)],
    ])('behavior: no page where %s meanwhile', async (_, change) => {
      expect(await pageOf(change)).toBeNull()
    })

    test('behavior: no page for an empty list, which one statement reads', async () => {
      expect(await pageOf()).toBeNull()
    })
  })

  test('behavior: who waited gets what was read since, everybody else the present state', async () => {
    const row = orderRow({ id: `0x${'44'.repeat(32)}` })
    await insertOrder(sql, row)
    const waitedFrom = performance.now()
    const { order } = await orders.read(row.id)
    await updateDeliveries(sql, [row.id], { remaining: '1' })
    expect((await orders.read(row.id, waitedFrom)).order).toBe(order)
    const waitsNow = await orders.read(row.id, performance.now())
    expect(waitsNow.order?.remainingAmountDue).toBe(1n)
    await updateDeliveries(sql, [row.id], { remaining: '2' })
    expect((await read(row.id))?.remainingAmountDue).toBe(2n)
  })

  test('behavior: an order that is gone from its chain, by the progress of all', async () => {
    const row = orderRow({ id: `0x${'33'.repeat(32)}`, destination_chain_id: 1 })
    await insertOrder(sql, row)
    await orders.read(row.id)
    expect((await orders.read(row.id)).progress).toHaveLength(2)
    await deleteOrders(sql)
    const { order, progress } = await orders.read(row.id)
    expect([order, progress.length > 1]).toEqual([undefined, true])
  })
})
