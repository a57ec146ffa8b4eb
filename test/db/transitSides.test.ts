import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { beginCopy, compareSides, endOldCopies } from '../../db/transitSides.ts'
import { deleteOrders, insertOrders, orderRow, updateDestinations } from '../support/insertOrder.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../support/postgres.ts'
import { BUILD } from '../support/testIndex.ts'

const idOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

describe('the copy of both sides of orders', () => {
  let database: TestDatabase
  let sql: Sql
  beforeAll(async () => {
    database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
    sql = connect(database.url, { applicationName: 'test', max: 6 })
  })
  afterAll(async () => {
    await sql?.end()
    await database?.drop()
  })

  const count = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from read.transit_side`
    return row?.count
  }

  test('default: follows rows that come, change and go', async () => {
    await insertOrders(sql, [orderRow({ id: idOf(1) }), orderRow({ id: idOf(2) })])
    expect(await count()).toBe(4)
    expect(await compareSides(sql)).toEqual([])
    await updateDestinations(sql, [idOf(1)], { status: 'PROCESSED', remaining: '0' })
    expect(await compareSides(sql)).toEqual([])
    await sql`delete from facts.transit_destination where order_id = ${idOf(2)}`
    expect(await count()).toBe(3)
    expect(await compareSides(sql)).toEqual([])
  })

  test('behavior: a transaction that is rolled back leaves no copy', async () => {
    const before = await count()
    await sql
      .begin(async (transaction) => {
        await insertOrders(transaction, [orderRow({ id: idOf(3) })])
        throw new Error('rolled back')
      })
      .catch(() => {})
    expect(await count()).toBe(before)
  })

  test('behavior: a comparison names what differs', async () => {
    await sql`
      update read.transit_side set facts = '{}'
      where is_source and order_id = decode(substr(${idOf(1)}, 3), 'hex')`
    await sql`
      delete from read.transit_side
      where not is_source and order_id = decode(substr(${idOf(1)}, 3), 'hex')`
    await sql`
      insert into read.transit_side (order_id, is_source, build, chain_id, created_at, transactions, facts)
      select '\\x99', false, id, 4663, 1, '{}', '{}' from app.index_build where chain_id = 4663`
    const found = await compareSides(sql)
    expect(found.map(({ what }) => what).sort()).toEqual([
      'copied differently',
      'copied, but no fact',
      'not copied',
    ])
    await sql`delete from read.transit_side`
    await sql`update facts.transit_source set salt = salt`
    await sql`update facts.transit_destination set status = status`
    expect(await compareSides(sql)).toEqual([])
  })

  test('behavior: the first copy beside an indexer that writes and takes back', async () => {
    await deleteOrders(sql)
    await retire()
    const rows = Array.from({ length: 3_000 }, (_, index) => orderRow({ id: idOf(10 + index) }))
    await insertOrders(sql, rows)
    expect(await count()).toBe(0)
    await sql`update app.index_build set state = 'served' where postgres_schema = ${BUILD}`
    const writing = (async () => {
      for (let number = 10; number < 1_010; number += 10) {
        await sql`delete from facts.transit_source where order_id = ${idOf(number)}`
        await updateDestinations(sql, [idOf(number + 1)], { remaining: String(number) })
      }
    })()
    await Promise.all([beginCopy(sql, BUILD), writing])
    expect(await compareSides(sql)).toEqual([])
    expect(await count()).toBe(6_000 - 100)
  })

  test('behavior: rows of a copy whose end was interrupted are forgotten', async () => {
    await sql`drop function facts._copy_side cascade`
    await sql`drop function facts._copy_head cascade`
    await deleteOrders(sql)
    expect(await count()).toBeGreaterThan(0)
    await beginCopy(sql, BUILD)
    expect(await count()).toBe(0)
    expect(await compareSides(sql)).toEqual([])
  })

  /** Ends the copy of the build, as that of another one that takes its place does. */
  async function retire() {
    await sql`update app.index_build set state = 'retired' where postgres_schema = ${BUILD}`
    await endOldCopies(sql)
  }
})
