import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { executeOrders } from '../../devnet/executeOrders.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { makeQuote, signQuote, submitCall } from '../devnet/orders.ts'
import { approve, send } from '../devnet/stationWorld.ts'
import { getJson } from '../support/getJson.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { type PostgresTap, startPostgresTap } from '../support/postgresTap.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

const WAITING = 500
const ORDERS = 5
const { tokens, station } = DEPLOYMENT

let database: TestDatabase
let tap: PostgresTap
let product: TestProduct
beforeAll(async () => {
  database = await createTestDatabase()
  tap = await startPostgresTap(database.url)
  product = await startTestProduct({ databaseUrl: database.url, apiDatabaseUrl: tap.url })
})
afterAll(async () => {
  await product?.stop()
  await tap?.stop()
  await database?.drop()
})

describe('waitSeconds, one api process', () => {
  test('behavior: an order that no chain knows is awaited until it appears', async () => {
    const quote = await makeQuote(product.world, 1)
    const { uuid, signature } = await signQuote(1, quote)
    await approve(product.world, 1, tokens.USDC, quote.offerAmount)
    const waiting = get(uuid, 25)
    expect(await Promise.race([waiting, sleep(500, 'nobody answered')])).toBe('nobody answered')
    await send(product.world, 1, submitCall(quote, signature))
    const { status, body } = await waiting
    expect([status, body.order?.status]).toEqual([200, 'PROCESSING'])
  })

  test('error: an order that does not appear is a 404 at the end of the wait', async () => {
    const startedAt = performance.now()
    const { status, reason } = await get(`0x${'77'.repeat(32)}`, 1)
    expect([status, reason]).toEqual([404, 'ORDER_NOT_FOUND'])
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(950)
  })

  test('behavior: 500 requests share their queries, and delay no other request', async () => {
    const orders = await placeOrders()
    const tags = await Promise.all(orders.map(({ orderId }) => etagOf(orderId)))
    let answered = 0
    const waits = Array.from({ length: WAITING }, async (_, index) => {
      const answer = await get(orders[index % ORDERS]?.orderId ?? '0x', 25, tags[index % ORDERS])
      answered += 1
      return answer
    })
    await untilQuiet()
    expect(answered).toBe(0)

    const startedAt = performance.now()
    await get(orders[0]?.orderId ?? '0x')
    const otherMs = performance.now() - startedAt
    tap.takeStatements()

    await fillAll(orders)
    const answers = await Promise.all(waits)
    // Per notification: one check for all waiting requests, one read and one mark for all woken ones.
    expect(tap.takeStatements().length).toBeLessThanOrEqual(10)
    for (const { status, body } of answers)
      expect([status, body.order?.status]).toEqual([200, 'PROCESSED'])
    expect(otherMs).toBeLessThan(1_000)
  })
})

async function placeOrders() {
  return Promise.all(
    DEVNET_USERS.slice(0, ORDERS).map((user) =>
      placeOrder(product.world, {
        user,
        sourceChainId: 1,
        destinationChainId: 1,
        offerAsset: tokens.USDC,
        wantAsset: tokens.USDG,
        offerAmount: 50_000_000n,
      }),
    ),
  )
}

function fillAll(orders: { orderId: Hex; netOfferAmount: bigint }[]) {
  return executeOrders(
    worldClient(product.world, 1),
    station,
    orders.map(({ orderId, netOfferAmount }) => ({
      orderId,
      wantAsset: tokens.USDG,
      amount: netOfferAmount,
    })),
  )
}

async function etagOf(orderId: Hex): Promise<string> {
  await expect.poll(async () => (await get(orderId)).status, { timeout: 5_000 }).toBe(200)
  return (await get(orderId)).headers.get('etag') ?? ''
}

/** All requests have been read and wait: only the check of each second remains. */
async function untilQuiet() {
  for (let count = Number.POSITIVE_INFINITY; count > 4; count = tap.takeStatements().length)
    await sleep(1_000)
}

function get(orderId: Hex, waitSeconds = 0, etag?: string) {
  const url = `${product.url}/v1/transit/orders/${orderId}?waitSeconds=${waitSeconds}`
  return getJson(url, etag ? { 'if-none-match': etag } : {})
}
