import type { Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import {
  createHeadReader,
  type HeadReader,
  type IndexHeads,
} from '../../../domain/chain/indexHeads.ts'
import { createOrdersBetween } from '../../../domain/transit/orders/selectOrdersBetween.ts'
import { insertOrder, orderRow } from '../../support/insertOrder.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'

describe('the tables of the builds that are served', () => {
  const { id } = orderRow()
  const place = { sourceChainId: 1, destinationChainId: 4663 }
  let database: TestDatabase
  let sql: Sql
  let heads: IndexHeads
  beforeAll(async () => {
    database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
    // One connection, whose prepared statements are looked at.
    sql = connect(database.url, { applicationName: 'test', max: 1 })
    await insertOrder(sql, orderRow())
  })
  afterAll(async () => {
    await sql?.end()
    await database?.drop()
  })
  beforeEach(async () => {
    heads = await createHeadReader(sql).read()
  })

  /** Knows the heads of every snapshot: another session of the cluster would change it. */
  const readerOf = (recent: IndexHeads): HeadReader => ({
    ...createHeadReader(sql),
    recent: () => recent,
    at: () => heads,
  })
  const read = async (recent = heads) =>
    (await createOrdersBetween(sql, readerOf(recent), place)([id]))?.rows.get(id)
  const prepared = async (schema: string) => {
    const [found] = await sql<{ count: number }[]>`
      select count(*)::integer as count from pg_prepared_statements
      where statement like ${`%from ${schema}.transit_submission where%`}`
    return found?.count
  }

  test('default: are read, instead of the views', async () => {
    expect((await read())?.id).toBe(id)
    expect(await prepared('facts')).toBe(1)
    expect(await prepared('read')).toBe(0)
  })

  test('behavior: the views, where the indexer of an older version names no build', async () => {
    const progress = heads.progress.map(({ postgres_schema: _, ...row }) => row)
    expect((await read({ ...heads, progress }))?.id).toBe(id)
    expect(await prepared('read')).toBe(1)
  })

  test('behavior: another build took over meanwhile: what it has is read', async () => {
    await sql`create schema older`
    for (const table of ['chain_head', 'transit_bridging', 'transit_submission'])
      await sql.unsafe(`create table older.${table} as select * from facts.${table}`)
    for (const table of ['delivery', 'execution', 'removal', 'tombstone'])
      await sql.unsafe(`create table older.transit_${table} (like facts.transit_${table})`)
    const progress = heads.progress.map((row) => ({ ...row, postgres_schema: 'older' }))
    const found = await read({ ...heads, views: heads.views - 1, progress })
    expect(found?.delivery).not.toBeNull()
    expect(await prepared('older')).toBe(1)
  })

  test('behavior: a build that has not what the statement reads is read through the views', async () => {
    const select = createOrdersBetween(sql, readerOf(heads), place)
    await sql`alter table facts.transit_delivery rename queued_at to arrived_at`
    for (let reads = 0; reads < 2; reads++)
      expect((await select([id]))?.rows.get(id)?.delivery).not.toBeNull()
    await sql`alter table facts.transit_delivery rename arrived_at to queued_at`
  })
})
