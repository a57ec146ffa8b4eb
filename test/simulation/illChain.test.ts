import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { worldClient } from '../../devnet/world.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { type Ailment, type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { untilIndexed } from '../support/indexer.ts'
import { placeOnOneChain } from '../support/placeOnOneChain.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { type NodeUrls, startTestProduct, type TestProduct } from '../support/product.ts'

const ILL_ID = 1
const OTHER_ID = 4663
/** More than Ponder needs to take a block for final, on both chains. */
const DEEP = 150
/** A start of Ponder that notices the ill chain, and the one that holds it. */
const RESTART_MS = 30_000
const DEAD_RESTART_MS = 40_000
/** From the moment when the node is well. */
const RECOVERED_MS = 30_000

type ChainHealth = { isLevel: boolean; isSynced: boolean; message?: string }

describe('two chains in one process, of which one has an ill node', () => {
  let database: TestDatabase
  let product: TestProduct
  let sql: Sql
  let node: FaultyNode

  async function nodesThrough({ rpcUrls, wsUrls }: NodeUrls): Promise<NodeUrls> {
    const of = (id: number) => ({ rpcUrl: rpcUrls[id] ?? '', wsUrl: wsUrls[id] ?? '' })
    node = await startFaultyNode({ ...of(ILL_ID), other: of(OTHER_ID) })
    return {
      rpcUrls: { ...rpcUrls, [ILL_ID]: node.rpcUrl },
      wsUrls: { ...wsUrls, [ILL_ID]: node.wsUrl },
    }
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    sql = connect(database.url, { applicationName: 'test', max: 1 })
    // Without a cache Ponder reads the whole history at each start.
    product = await startTestProduct({
      databaseUrl: database.url,
      nodesThrough,
      environment: 'STAGING',
    })
    await mine(ILL_ID, DEEP)
    await mine(OTHER_ID, DEEP)
    await untilLevel(ILL_ID)
    await untilLevel(OTHER_ID)
  })
  afterEach(() => node.fall('well'))
  afterAll(async () => {
    await product?.stop()
    await node?.stop()
    await sql.end()
    await database.drop()
  })

  const mine = (chainId: number, blocks: number) =>
    worldClient(product.world, chainId).mine({ blocks })

  async function untilLevel(chainId: number) {
    const head = await worldClient(product.world, chainId).getBlockNumber()
    await untilIndexed(sql, { [chainId]: Number(head) })
  }

  const statusOf = async (orderId: string) =>
    (await fetch(`${product.url}/v1/transit/orders/${orderId}`)).status

  async function healthOf(chainId: number): Promise<ChainHealth | undefined> {
    const response = await fetch(`${product.url}/health`)
    const { details } = (await response.json()) as {
      details: { indexer: { chains: Record<string, ChainHealth> } }
    }
    return details.indexer.chains[chainId]
  }

  /** Blocks of both chains, one after the other, as everywhere. */
  async function whileBlocksCome(run: () => Promise<void>) {
    const stopping = new AbortController()
    const mining = repeat(
      {
        run: () => Promise.all([ILL_ID, OTHER_ID].map((id) => mine(id, 1))).then(() => false),
        everyMs: 1_000,
      },
      stopping.signal,
    )
    try {
      await run()
    } finally {
      stopping.abort()
      await mining
    }
  }

  const endings = () => product.indexer.output().split('starting again').length - 1

  /** The other chain goes on as if nothing was wrong. */
  async function expectOthersWell() {
    await mine(OTHER_ID, 1)
    const orderId = await placeOnOneChain(product.world, OTHER_ID)
    // What no chain has yet may be on the ill one, for which a read waits six seconds at first.
    await expect.poll(() => statusOf(orderId), { timeout: 15_000 }).toBe(200)
    const health = await healthOf(OTHER_ID)
    expect(health).toMatchObject({ isLevel: true, isSynced: true })
    expect(health?.message).toBeUndefined()
  }

  /** Starts the indexer again; the other chain goes on within this time. */
  async function restart(withinMs: number) {
    const startedAt = Date.now()
    await product.restartIndexer()
    await untilLevel(OTHER_ID)
    expect(Date.now() - startedAt).toBeLessThan(withinMs)
    await expectOthersWell()
  }

  const expectNamed = (refusal: string) =>
    expect
      .poll(() => healthOf(ILL_ID), { timeout: 60_000 })
      .toMatchObject({ message: expect.stringContaining(refusal) })

  /** All of the ill chain is there soon after its node is well. */
  async function expectRecovery(orderIds: string[]) {
    await node.fall('well')
    const wellAt = Date.now()
    await mine(ILL_ID, 1)
    await untilLevel(ILL_ID)
    expect(Date.now() - wellAt).toBeLessThan(RECOVERED_MS)
    for (const orderId of orderIds) expect(await statusOf(orderId)).toBe(200)
    await expect.poll(async () => (await healthOf(ILL_ID))?.message).toBeUndefined()
  }

  test('behavior: logs of unknown transactions while it follows the chain', async () => {
    await node.fall('unknownTransactions')
    const orderIds = [await placeOnOneChain(product.world)]
    // Each head makes Ponder look again at the block that it refuses.
    for (const until = Date.now() + 25_000; Date.now() < until; await sleep(50))
      await mine(ILL_ID, 1)
    await expectNamed('does not contain a transaction')
    await expectOthersWell()
    await expectRecovery(orderIds)
    expect(endings()).toBe(0)
  })

  test("behavior: logs of a system's transactions, which no block lists, hold up nothing", async () => {
    await node.fall('systemLogs')
    const orderIds = [await placeOnOneChain(product.world), await placeOnOneChain(product.world)]
    await mine(ILL_ID, 1)
    await untilLevel(ILL_ID)
    for (const orderId of orderIds) expect(await statusOf(orderId)).toBe(200)
    expect((await healthOf(ILL_ID))?.message).toBeUndefined()
  })

  test('behavior: logs of unknown transactions across a restart', () =>
    whileBlocksCome(async () => {
      await product.indexer.stop()
      const orderIds = [await placeOnOneChain(product.world)]
      // So many that Ponder reads them in ranges.
      await mine(ILL_ID, 2 * DEEP)
      await node.fall('unknownTransactions')
      await restart(RESTART_MS)
      await expectNamed('does not contain a transaction')
      expect(await statusOf(orderIds[0] ?? '')).toBe(503)
      orderIds.push(await placeOnOneChain(product.world))
      await sleep(5_000)
      await expectOthersWell()
      await expectRecovery(orderIds)
    }))

  test('behavior: hidden logs across a restart', () =>
    whileBlocksCome(async () => {
      await product.indexer.stop()
      const orderIds = [await placeOnOneChain(product.world)]
      // The order is final, so a range of logs would hold it.
      await mine(ILL_ID, 66)
      await node.fall('hiddenLogs')
      await restart(RESTART_MS)
      await expectNamed('no node shows all logs')
      await expectRecovery(orderIds)
    }))

  test.each(['errors', 'silent'] satisfies Ailment[])(
    'behavior: no answer across a restart: %s',
    (ailment) =>
      whileBlocksCome(async () => {
        await product.indexer.stop()
        const orderIds = [await placeOnOneChain(product.world)]
        await node.fall(ailment)
        await restart(DEAD_RESTART_MS)
        await expectNamed('no node answers')
        await expectRecovery(orderIds)
      }),
  )
})
