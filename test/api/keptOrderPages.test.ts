import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { getJson } from '../support/getJson.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'
import { replaceHeads } from '../support/testIndex.ts'

type Body = { orders: { remainingAmountDue: string; finalized: boolean }[] }

/** A block in which no order of the page is final, and one in which all are. */
const [RECENT, LATE] = [100, 1_100]

describe('a page of orders', () => {
  const row = orderRow()
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi()
    await insertOrder(api.context.sql, row)
  })
  afterAll(() => api?.stop())

  const listed = async () => {
    const url = `${api.url}/v1/transit/orders?userAddress=${row.user_address}&pageSize=25`
    const { status, body } = await getJson<Body>(url)
    expect(status).toBe(200)
    return body.orders[0]
  }
  const moveHeadsTo = (block: number) => api.context.sql`
    update facts.chain_head set block_number = ${block}, block_hash = 'empty' || block_hash`
  const changeRow = (remaining: string) => api.context.sql`
    update facts.transit_destination set remaining = ${remaining} where order_id = ${row.id}`
  beforeEach(async () => {
    await api.context.sql`update app.index_high_water set block_number = ${RECENT}`
    await moveHeadsTo(RECENT)
    await listed()
  })

  test('default: is not read again after blocks without a log', async () => {
    const before = await listed()
    await changeRow('31')
    await moveHeadsTo(RECENT + 1)
    expect(await listed()).toEqual(before)
  })

  test('behavior: is read again after a block that changes a row', async () => {
    await changeRow('32')
    await replaceHeads(api.context.sql)
    expect((await listed())?.remainingAmountDue).toBe('32')
  })

  test('behavior: is read again after a block that finalizes a step', async () => {
    expect((await listed())?.finalized).toBe(false)
    await moveHeadsTo(LATE)
    expect((await listed())?.finalized).toBe(true)
  })
})
