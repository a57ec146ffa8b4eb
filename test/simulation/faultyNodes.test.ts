import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { type Ailment, type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { type NodeUrls, startTestProduct, type TestProduct } from '../support/product.ts'

const CHAIN_ID = 1
const OTHER_ID = 4663
const ONE_OF_TWO: Ailment[] = ['errors', 'garbage', 'otherChain', 'tooMany', 'oldHeads', 'silent']

describe('nodes that fail', () => {
  let database: TestDatabase
  let product: TestProduct
  let sql: Sql
  /** Nodes in the order of their use. */
  let nodes: [FaultyNode, FaultyNode]

  async function nodesThrough({ rpcUrls, wsUrls }: NodeUrls): Promise<NodeUrls> {
    const of = (id: number) => ({ rpcUrl: rpcUrls[id] ?? '', wsUrl: wsUrls[id] ?? '' })
    const targets = { ...of(CHAIN_ID), other: of(OTHER_ID) }
    nodes = [await startFaultyNode(targets), await startFaultyNode(targets)]
    return {
      rpcUrls: { ...rpcUrls, [CHAIN_ID]: nodes.map(({ rpcUrl }) => rpcUrl).join() },
      wsUrls: { ...wsUrls, [CHAIN_ID]: nodes.map(({ wsUrl }) => wsUrl).join() },
    }
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 1 })
    product = await startTestProduct({ databaseUrl: database.url, nodesThrough })
  })
  afterAll(async () => {
    await product?.stop()
    for (const node of nodes) await node.stop()
    await sql.end()
    await database.drop()
  })

  /** An order placed and executed on the chain's real node. */
  async function liveOrder(): Promise<Hex> {
    const [user] = DEVNET_USERS
    if (!user) throw new Error('the world has users')
    const { orderId } = await placeOrder(product.world, {
      user,
      sourceChainId: CHAIN_ID,
      destinationChainId: CHAIN_ID,
      offerAsset: DEPLOYMENT.tokens.USDC,
      wantAsset: DEPLOYMENT.tokens.USDG,
      offerAmount: 10_000_000n,
    })
    await ORDER_STEPS.execute(product.world, {
      orderId,
      from: CHAIN_ID,
      to: CHAIN_ID,
      want: 'USDG',
    })
    return orderId
  }

  async function statusOf(orderId: Hex): Promise<string> {
    const response = await fetch(`${product.url}/v1/transit/orders/${orderId}`)
    const { order } = (await response.json()) as { order?: { status: string } }
    return order?.status ?? String(response.status)
  }

  async function indexedBlock(): Promise<bigint | undefined> {
    const [progress] = await sql<{ block: bigint }[]>`
      select block_number as block from read.chain_progress where chain_id = ${CHAIN_ID}`
    return progress?.block
  }

  async function health() {
    const response = await fetch(`${product.url}/health`)
    const { details } = (await response.json()) as { details: Record<string, { status: string }> }
    return details
  }

  describe.each(ONE_OF_TWO)('one of two: %s', (ailment) => {
    test.each([0, 1])('URL %i', async (position) => {
      const builds = await sql`select * from app.index_build`
      await nodes[position]?.fall(ailment)
      await worldClient(product.world, CHAIN_ID).mine({ blocks: 3 })
      for (let orders = 0; orders < 2; orders += 1) {
        const orderId = await liveOrder()
        await expect.poll(() => statusOf(orderId), { interval: 20 }).toBe('PROCESSED')
      }
      await nodes[position]?.fall('well')
      // No build was dropped or restarted because of one node.
      expect(await sql`select * from app.index_build`).toEqual(builds)
    })
  })

  test('behavior: a backfill through a node that lacks the newest blocks loses nothing', async () => {
    const orderId = await liveOrder()
    await expect.poll(() => statusOf(orderId)).toBe('PROCESSED')
    await nodes[0].fall('oldHeads')
    await worldClient(product.world, CHAIN_ID).mine({ blocks: 150 })
    const later = await liveOrder()
    await worldClient(product.world, CHAIN_ID).mine({ blocks: 150 })
    const servedHash = async () =>
      (await sql`select build_hash from app.index_build where chain_id = 1 and state = 'served'`)[0]
        ?.build_hash
    const before = await servedHash()
    await sql`
      insert into app.index_rebuild (chain_id, generation, reason) values (${CHAIN_ID}, 1, 'test')`
    await expect.poll(servedHash).not.toBe(before)
    // The new build begins at the newest head that the relay knew, which can be hundreds of blocks old.
    const tip = await worldClient(product.world, CHAIN_ID).getBlockNumber()
    await expect.poll(indexedBlock).toBe(tip)
    for (const id of [orderId, later]) expect(await statusOf(id)).toBe('PROCESSED')
    await nodes[0].fall('well')
  })

  test.each(['errors', 'silent'] satisfies Ailment[])(
    'error: both gone (%s), named by health, and caught up with once one is back',
    async (ailment) => {
      const pulse = async () => (await health())[`rpc:${CHAIN_ID}`]
      await expect.poll(pulse).toMatchObject({ status: 'up' })
      for (const node of nodes) await node.fall(ailment)
      const orderId = await liveOrder()
      await worldClient(product.world, CHAIN_ID).mine({ blocks: 60 })
      await expect.poll(pulse).toMatchObject(
        // Silent nodes are down only after half a minute.
        ailment === 'silent'
          ? { status: 'slow', message: 'the nodes of chain 1 answer late' }
          : { status: 'down', message: 'no node of chain 1 answers' },
      )
      expect((await health())[`rpc:${OTHER_ID}`]).toMatchObject({ status: 'up' })
      await nodes[1].fall('well')
      await expect.poll(() => statusOf(orderId), { interval: 20 }).toBe('PROCESSED')
      await nodes[0].fall('well')
    },
  )
})
