import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { worldClient } from '../../devnet/world.ts'
import { type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { untilIndexed } from '../support/indexer.ts'
import { placeOnOneChain } from '../support/placeOnOneChain.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { type NodeUrls, startTestProduct, type TestProduct } from '../support/product.ts'

const CHAIN_ID = 1
const OTHER_ID = 4663
/** More than Ponder needs to take a block for final, on both chains. */
const DEEP = 150
/** The chain is in doubt after a third of it. */
const PATIENCE_SECONDS = 45
const JUMP_MS = 10_000
/** From the moment when the node is well. */
const RECOVERED_MS = 30_000

describe('a chain with one URL, behind which machines differ', () => {
  let database: TestDatabase
  let product: TestProduct
  let sql: Sql
  let node: FaultyNode

  async function nodesThrough({ rpcUrls, wsUrls }: NodeUrls): Promise<NodeUrls> {
    const of = (id: number) => ({ rpcUrl: rpcUrls[id] ?? '', wsUrl: wsUrls[id] ?? '' })
    node = await startFaultyNode({ ...of(CHAIN_ID), other: of(OTHER_ID) })
    return {
      rpcUrls: { ...rpcUrls, [CHAIN_ID]: node.rpcUrl },
      wsUrls: { ...wsUrls, [CHAIN_ID]: node.wsUrl },
    }
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 1 })
    product = await startTestProduct({
      databaseUrl: database.url,
      nodesThrough,
      variables: { REORG_PATIENCE_SECONDS: String(PATIENCE_SECONDS) },
    })
    await client().mine({ blocks: DEEP })
    await untilLevel()
  })
  afterEach(() => node.fall('well'))
  afterAll(async () => {
    await product?.stop()
    await node?.stop()
    await sql.end()
    await database.drop()
  })

  const client = () => worldClient(product.world, CHAIN_ID)

  async function untilLevel(chainId = CHAIN_ID) {
    const head = await worldClient(product.world, chainId).getBlockNumber()
    await untilIndexed(sql, { [chainId]: Number(head) })
  }

  const builds = () =>
    sql`select postgres_schema, chain_id, state from app.index_build order by 1, 2`

  const statusOf = async (orderId: string) =>
    (await fetch(`${product.url}/v1/transit/orders/${orderId}`)).status

  test.each([5, 45, 400])('behavior: its head jumps back by %i blocks', async (behind) => {
    if (behind > DEEP) await client().mine({ blocks: behind })
    const orderId = await placeOnOneChain(product.world)
    await untilLevel()
    const before = await builds()
    await node.fall('oldHeads', behind)
    const answers = new Set<number>()
    for (const until = Date.now() + JUMP_MS; Date.now() < until; await sleep(250)) {
      answers.add(await statusOf(orderId))
      await worldClient(product.world, OTHER_ID).mine({ blocks: 1 })
      await untilLevel(OTHER_ID)
    }
    expect([...answers]).toEqual([200])
    await node.fall('well')
    const wellAt = Date.now()
    await client().mine({ blocks: 1 })
    await untilLevel()
    expect(Date.now() - wellAt).toBeLessThan(RECOVERED_MS)
    expect(await builds()).toEqual(before)
    expect(await statusOf(orderId)).toBe(200)
  })

  test('behavior: its head stays back: it alone is not answered, until it is well again', async () => {
    const orderId = await placeOnOneChain(product.world)
    await untilLevel()
    const before = await builds()
    await node.fall('oldHeads', 45)
    await expect.poll(() => statusOf(orderId)).toBe(503)
    await worldClient(product.world, OTHER_ID).mine({ blocks: 1 })
    await untilLevel(OTHER_ID)
    await node.fall('well')
    // No new block shows it: the old head does.
    await expect.poll(() => statusOf(orderId), { timeout: RECOVERED_MS }).toBe(200)
    expect(await builds()).toEqual(before)
  })

  test('behavior: it leaves out the last log of each block', async () => {
    const before = await builds()
    await node.fall('leftOutLogs')
    const orderId = await placeOnOneChain(product.world)
    await sleep(JUMP_MS)
    await node.fall('well')
    const wellAt = Date.now()
    await client().mine({ blocks: 1 })
    await untilLevel()
    expect(Date.now() - wellAt).toBeLessThan(RECOVERED_MS)
    // The submission is the last log of its block.
    const submissions = await sql`
      select user_address from read.transit_source
      where order_id = ${orderId} and user_address is not null`
    expect(submissions).toHaveLength(1)
    expect(await builds()).toEqual(before)
  })

  test('behavior: logs of an unknown transaction, while the indexer starts', async () => {
    const before = await builds()
    await product.indexer.stop()
    const orderId = await placeOnOneChain(product.world)
    // More than one step of what Ponder reads at once.
    await client().mine({ blocks: DEEP })
    await node.fall('unknownTransactions')
    await product.restartIndexer()
    // Near its head the chain is followed at once, and is named after three heads that were refused.
    await expect
      .poll(async () => {
        await client().mine({ blocks: 1 })
        return sql`select refusal from app.index_build where chain_id = ${CHAIN_ID}`
      })
      .toMatchObject([{ refusal: expect.stringContaining('Inconsistent RPC response data') }])
    await node.fall('well')
    const wellAt = Date.now()
    await client().mine({ blocks: 1 })
    await worldClient(product.world, OTHER_ID).mine({ blocks: 1 })
    await Promise.all([untilLevel(), untilLevel(OTHER_ID)])
    expect(Date.now() - wellAt).toBeLessThan(RECOVERED_MS)
    expect(await statusOf(orderId)).toBe(200)
    expect(await builds()).toEqual(before)
  })
})
