import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { createOrdersById, type OrdersById } from '../../../domain/transit/orders/ordersById.ts'
import { deleteOrders, insertOrder, orderRow, updateDeliveries } from '../../support/insertOrder.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'

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
    // Its destination still knows it.
    expect((await read(row.id))?.user).toBeNull()
    await deleteOrders(sql)
    const gone = await orders.read(row.id)
    expect(gone.order).toBeUndefined()
    await insertOrder(sql, row)
    expect((await read(row.id))?.user).toBe(row.user_address)
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
