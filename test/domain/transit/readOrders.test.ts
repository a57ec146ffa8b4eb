import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { beginCopy } from '../../../db/transitSides.ts'
import type { ReadOrder } from '../../../domain/transit/orders/readOrders.ts'
import {
  deleteOrders,
  insertOrder,
  orderRow,
  updateDestinations,
} from '../../support/insertOrder.ts'
import { createOrderReader } from '../../support/orderReader.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'
import { BUILD, replaceHeads, setReady } from '../../support/testIndex.ts'

describe('readOrder', () => {
  let database: TestDatabase
  let sql: Sql
  let readOrder: ReadOrder
  beforeAll(async () => {
    database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
    sql = connect(database.url, { applicationName: 'test', max: 4 })
    readOrder = createOrderReader(sql)
  })
  afterAll(async () => {
    await sql?.end()
    await database?.drop()
  })

  const read = async (id: Hex) => (await readOrder(id)).order
  const moveHeads = (blocks: number) =>
    sql`
      update facts.chain_head
      set block_number = block_number + ${blocks}, block_hash = 'empty' || block_hash`

  test('behavior: the same object until something about the order changes', async () => {
    const { id } = orderRow()
    await insertOrder(sql, orderRow())
    const first = await read(id)
    expect(first?.finalized).toBe(false)
    await moveHeads(1)
    expect(await read(id)).toBe(first)

    await updateDestinations(sql, [id], { remaining: '1' })
    const second = await read(id)
    expect(second?.remainingAmountDue).toBe(1n)
    expect(await read(id)).toBe(second)

    // A reorganisation takes the growth of an array back.
    await sql`update facts.transit_destination set executions = '[]' where order_id = ${id}`
    await replaceHeads(sql)
    const third = await read(id)
    expect(third?.executions).toEqual([])
    expect(await read(id)).toBe(third)

    await moveHeads(1_000)
    expect((await read(id))?.finalized).toBe(true)
  })

  test('behavior: both of its statements are planned once per connection', async () => {
    const one = connect(database.url, { applicationName: 'test', max: 1 })
    const { id } = orderRow({ id: `0x${'33'.repeat(32)}` })
    await insertOrder(sql, orderRow({ id }))
    const readAgain = createOrderReader(one)
    // The second asks only for the heads.
    for (let i = 0; i < 3; i++) await readAgain(id)
    const plans = await one<{ generic: bigint; custom: bigint }[]>`
      select generic_plans as generic, custom_plans as custom from pg_prepared_statements
      where statement like '%index_head%' and statement not like '%generic_plans%'`
    await one.end()
    expect([...plans].sort((a, b) => Number(a.generic - b.generic))).toEqual([
      { generic: 1n, custom: 0n },
      { generic: 2n, custom: 0n },
    ])
  })

  test('behavior: an order that a reorganisation takes back, and that comes again', async () => {
    const row = orderRow({ id: `0x${'22'.repeat(32)}` })
    await insertOrder(sql, row)
    expect(await read(row.id)).toBeDefined()
    await sql`delete from facts.transit_source where order_id = ${row.id}`
    await replaceHeads(sql)
    // Its destination still knows it.
    expect((await read(row.id))?.user).toBeNull()
    await deleteOrders(sql)
    const gone = await readOrder(row.id)
    expect(gone.order).toBeUndefined()
    await insertOrder(sql, row)
    expect((await read(row.id))?.user).toBe(row.user_address)
  })

  describe('while no block has changed a row of its chains', () => {
    const row = orderRow({ id: `0x${'55'.repeat(32)}` })
    const due = async () => (await read(row.id))?.remainingAmountDue
    /** A change of a row without a new head, which no indexer makes, shows whether rows are read. */
    const changeRow = (remaining: string) =>
      sql`update facts.transit_destination set remaining = ${remaining} where order_id = ${row.id}`
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
      const { order, progress } = await readOrder(row.id)
      expect(order?.remainingAmountDue).toBe(before)
      const [head] = await sql<{ block: bigint }[]>`
        select block_number as block from facts.chain_head where chain_id = 4663`
      const answered = progress.find(({ chain_id }) => chain_id === 4663)
      expect(answered?.block_number).toBe(Number(head?.block))
    })

    test('behavior: a block without a log that finalizes a step', async () => {
      const moveHeadsTo = (block: number) =>
        sql`update facts.chain_head set block_number = ${block}, block_hash = 'empty' || block_hash`
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

    test('behavior: the same heads of another build', async () => {
      await changeRow('13')
      await sql`update app.index_build set postgres_schema = 'other' where chain_id = 4663`
      const [build] = await sql<{ id: number }[]>`
        insert into app.index_build (postgres_schema, chain_id, build_hash, state)
        values (${BUILD}, 4663, 'test', 'building') returning id`
      await sql`
        insert into read.index_head select ${build?.id ?? 0}, h.block_number, h.block_hash, h.block_timestamp,
          h.last_change_hash, h.is_ready
        from read.index_head h join app.index_build b on b.id = h.build where b.postgres_schema = 'other'`
      await beginCopy(sql, BUILD)
      await sql`update app.index_build set state = 'retired' where postgres_schema = 'other'`
      await sql`
        update app.index_build set state = 'served', finality_depth = 65
        where id = ${build?.id ?? 0}`
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
      const { progress } = await readOrder(row.id)
      expect(progress.find(({ chain_id }) => chain_id === 1)?.is_ready).toBe(false)
      await setReady(sql, 1, true)
    })
  })

  test('behavior: an order that is gone from its chain, by the progress of all', async () => {
    const row = orderRow({ id: `0x${'33'.repeat(32)}`, destination_chain_id: 1 })
    await insertOrder(sql, row)
    await readOrder(row.id)
    expect((await readOrder(row.id)).progress).toHaveLength(2)
    await deleteOrders(sql)
    const { order, progress } = await readOrder(row.id)
    expect([order, progress.length > 1]).toEqual([undefined, true])
  })
})
