import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveBuild } from '../../../db/indexBuilds.ts'
import { connect } from '../../../db/sql.ts'
import { createOrdersById, type OrdersById } from '../../../domain/transit/orders/ordersById.ts'
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
    orders = createOrdersById({ sql, tokens })
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

  describe('while the heads of its chains are those of its last read', () => {
    const row = orderRow({ id: `0x${'55'.repeat(32)}` })
    const due = async () => (await read(row.id))?.remainingAmountDue
    /** What no indexer does: a change of a row without a new head shows whether rows are read. */
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

    test('behavior: another block of the same number is another head', async () => {
      await changeRow('12')
      await replaceHeads(sql)
      expect(await due()).toBe(12n)
    })

    test.each([1, 4663])('behavior: a new head of chain %i alone', async (chainId) => {
      await changeRow(`2${chainId}`)
      await sql`update facts.chain_head set block_hash = 'other' || block_hash where chain_id = ${chainId}`
      expect(await due()).toBe(BigInt(`2${chainId}`))
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
    expect((await orders.read(row.id)).progress).toHaveLength(1)
    await deleteOrders(sql)
    const { order, progress } = await orders.read(row.id)
    expect([order, progress.length > 1]).toEqual([undefined, true])
  })
})
