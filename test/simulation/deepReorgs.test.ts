import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { type DevnetClient, worldClient } from '../../devnet/world.ts'
import { placeOnOneChain } from '../support/placeOnOneChain.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

/** Far deeper than Ponder can undo: twice its depth of 65. */
const DEEP = 150
const BELIEVED = { timeout: 240_000 }
const variables = { REORG_PATIENCE_SECONDS: '15' }

describe('a reorganisation of final blocks', () => {
  let database: TestDatabase
  let product: TestProduct
  let client: DevnetClient
  let sql: Sql

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 1 })
    product = await startTestProduct({
      databaseUrl: database.url,
      environment: 'STAGING',
      variables,
    })
    client = worldClient(product.world, 1)
    await client.mine({ blocks: 100 })
  })
  afterAll(async () => {
    await product?.stop()
    await sql.end()
    await database.drop()
  })

  const place = () => placeOnOneChain(product.world)

  async function statusOf(orderId: Hex): Promise<number> {
    return (await fetch(`${product.url}/v1/transit/orders/${orderId}`)).status
  }

  async function chainHealth(): Promise<Record<string, unknown>> {
    const response = await fetch(`${product.url}/health`)
    const { details } = (await response.json()) as {
      details: { indexer: { chains: Record<string, Record<string, unknown>> } }
    }
    return details.indexer.chains[1] ?? {}
  }

  /** An order that is finalized in the index, on a branch that is replaced; then one on the new branch. */
  async function replaceFinalBlocks() {
    const mark = await client.snapshot()
    const orphan = await place()
    await client.mine({ blocks: DEEP })
    const head = Number(await client.getBlockNumber())
    await expect.poll(chainHealth).toMatchObject({ block: head })
    expect(await statusOf(orphan)).toBe(200)
    return {
      orphan,
      async replace() {
        await client.revert({ id: mark })
        const survivor = await place()
        await client.mine({ blocks: DEEP + 20 })
        return survivor
      },
    }
  }

  /** The cached blocks that are not on the chain. */
  async function orphansInCache() {
    const cached = await sql<{ number: bigint; hash: Hex }[]>`
      select number, hash from ponder_sync.blocks where chain_id = 1`
    expect(cached.length).toBeGreaterThan(0)
    const isOrphan = await Promise.all(
      cached.map(async ({ number, hash }) => {
        const block = await client.getBlock({ blockNumber: number })
        return block.hash !== hash
      }),
    )
    return cached.filter((_, index) => isOrphan[index])
  }

  test('default', async () => {
    const { build } = await chainHealth()
    const { orphan, replace } = await replaceFinalBlocks()
    const survivor = await replace()
    const messages = new Set<unknown>()
    await expect
      .poll(
        async () => {
          messages.add((await chainHealth()).message)
          return [await statusOf(orphan), await statusOf(survivor)]
        },
        { interval: 20, ...BELIEVED },
      )
      .toEqual([404, 200])
    expect([...messages].join()).toMatch(/is indexed anew: reorganised below its final block \d+/)
    expect(await orphansInCache()).toEqual([])
    const healed = await chainHealth()
    expect(healed).toMatchObject({ isLevel: true, isSynced: true })
    expect(healed.message).toBeUndefined()
    expect(healed.build).not.toBe(build)
  })

  test('behavior: found at a start, of a chain that was not indexed meanwhile', async () => {
    const { orphan, replace } = await replaceFinalBlocks()
    await product.indexer.stop()
    const survivor = await replace()
    expect(await statusOf(orphan)).toBe(200)
    await product.restartIndexer()
    // In doubt, until it is believed.
    await expect.poll(() => statusOf(orphan)).toBe(503)
    await expect
      .poll(async () => [await statusOf(orphan), await statusOf(survivor)], BELIEVED)
      .toEqual([404, 200])
    const rows = await sql`select reason from app.index_rebuild where chain_id = 1`
    expect(rows).toMatchObject([{ reason: /final block/ }])
  })
})
