import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex, LocalAccount } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { DEVNET_USERS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { executeOrders } from '../../devnet/executeOrders.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { makeQuote, signQuote, submitCall } from '../devnet/orders.ts'
import { approve, send } from '../devnet/stationWorld.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { getJson } from '../support/getJson.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { type PostgresTap, startPostgresTap } from '../support/postgresTap.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

const WAITING = 500
const ORDERS = 5
const { tokens, station } = DEPLOYMENT

/** A product whose statements a test can look at. */
export type TappedProduct = Awaited<ReturnType<typeof startTappedProduct>>

export async function startTappedProduct() {
  const started = new AsyncDisposableStack()
  const database = await createTestDatabase()
  started.defer(database.drop)
  const tap = await startPostgresTap(database.url)
  started.defer(tap.stop)
  const indexerTap = await startPostgresTap(database.url)
  started.defer(indexerTap.stop)
  const product = await startTestProduct({ databaseUrl: indexerTap.url, apiDatabaseUrl: tap.url })
  started.defer(product.stop)
  return { product, database, tap, indexerTap, stop: () => started.disposeAsync() }
}

let database: TestDatabase
let tap: PostgresTap
let indexerTap: PostgresTap
let product: TestProduct

/** Requests that wait for an order, and what the indexer writes of one. */
export function testWaiting(given: () => TappedProduct) {
  beforeAll(() => {
    ;({ database, tap, indexerTap, product } = given())
  })

  describe('waitSeconds', () => {
    test('behavior: with the ETag it is held until the order changes, and is a 304 if it does not', async () => {
      const { orderId, amountDue } = await placeOpenOrder()
      const first = await get(orderId)
      const etag = first.headers.get('etag') ?? ''
      const unchanged = await get(orderId, { waitSeconds: 1, etag })
      expect(unchanged.status).toBe(304)

      const held = get(orderId, { waitSeconds: 25, etag })
      const startedAt = performance.now()
      await fill({ orderId, amount: amountDue })
      const changed = await held
      expect(changed.status).toBe(200)
      expect(await changed.json()).toMatchObject({ order: { status: 'PROCESSED' } })
      expect(changed.headers.get('etag')).not.toBe(etag)
      // Far below the wait: a notification woke it.
      expect(performance.now() - startedAt).toBeLessThan(10_000)
    })

    test('behavior: a listener that loses its connection reconnects soon, and waiting requests go on', async () => {
      const { orderId, amountDue } = await placeOpenOrder()
      const etag = (await get(orderId)).headers.get('etag') ?? ''
      const held = awaitRemaining(orderId, etag, 0n)
      // A role may end the sessions of its own alone.
      const url = asProcessRole(product.databaseUrl, 'api')
      const sql = connect(url, { applicationName: 'test', max: 1 })
      const ended = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'causeway-index-listener'`
      await sql.end()
      expect(ended).toHaveLength(1)
      await fill({ orderId, amount: amountDue })
      const { status, body } = await held
      expect([status, body.order?.status]).toEqual([200, 'PROCESSED'])
    })
  })

  describe('waitSeconds, many requests', () => {
    test('behavior: an order that no chain knows is awaited until it appears', async () => {
      const quote = await makeQuote(product.world, 1)
      const { uuid, signature } = await signQuote(1, quote)
      await approve(product.world, 1, tokens.USDC, quote.offerAmount)
      const waiting = ask(uuid, 25)
      expect(await Promise.race([waiting, sleep(500, 'nobody answered')])).toBe('nobody answered')
      await send(product.world, 1, submitCall(quote, signature))
      const { status, body } = await waiting
      expect([status, body.order?.status]).toEqual([200, 'PROCESSING'])
    })

    test('error: an order that does not appear is a 404 at the end of the wait', async () => {
      const startedAt = performance.now()
      const { status, reason } = await ask(`0x${'77'.repeat(32)}`, 1)
      expect([status, reason]).toEqual([404, 'ORDER_NOT_FOUND'])
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(950)
    })

    test('behavior: 500 requests share their queries, and delay no other request', async () => {
      const orders = await placeOrders()
      const tags = await Promise.all(orders.map(({ orderId }) => etagOf(orderId)))
      let answered = 0
      const waits = Array.from({ length: WAITING }, async (_, index) => {
        const of = index % ORDERS
        const answer = await awaitRemaining(orders[of]?.orderId ?? '0x', tags[of] ?? '', 0n)
        answered += 1
        return answer
      })
      await untilQuiet()
      expect(answered).toBe(0)

      const startedAt = performance.now()
      await ask(orders[0]?.orderId ?? '0x')
      const otherMs = performance.now() - startedAt
      tap.takeStatements()

      await fill(
        ...orders.map(({ orderId, netOfferAmount }) => ({ orderId, amount: netOfferAmount })),
      )
      const answers = await Promise.all(waits)
      // Per notification: one check for all waiting requests, one read and one mark for all woken ones.
      expect(tap.takeStatements().length).toBeLessThanOrEqual(10)
      for (const { status, body } of answers)
        expect([status, body.order?.status]).toEqual([200, 'PROCESSED'])
      expect(otherMs).toBeLessThan(1_000)
    })
  })

  describe('a live block', () => {
    test('behavior: reads no row that a block before the last one wrote', async () => {
      const { orderId, amountDue } = await placeOpenOrder()
      await fillAndAwait(orderId, 1n)
      await worldClient(product.world, 1).mine({ blocks: 1 })
      indexerTap.takeStatements()
      await fillAndAwait(orderId, amountDue - 1n)
      const written = indexerTap
        .takeStatements()
        .filter((text) => /"transit_(destination|delivery_period)/.test(text))
      expect(written.map((text) => text.split(' ', 1)[0])).toEqual(['insert', 'insert'])
    })

    test('behavior: is written once, although its first commit failed', async () => {
      const { orderId, amountDue } = await placeOpenOrder()
      const url = asProcessRole(database.url, 'indexer')
      const sql = connect(url, { applicationName: 'test', max: 1, prepare: false })
      const [build] = await sql<{ schema: string }[]>`
      select postgres_schema as schema from app.index_build where state = 'served'`
      await sql`select set_config('search_path', ${build?.schema ?? ''}, false)`
      const readPaid = async () => {
        const [sum] = await sql<{ paid: string }[]>`
        select sum(delivered_volume)::text as paid from transit_delivery_period
        where chain_id = 1 and seconds = 0`
        return BigInt(sum?.paid ?? 0)
      }
      const before = await readPaid()
      // A sequence counts on although its transaction is undone.
      await sql.unsafe(`
      create sequence commit_tries;
      create function refuse_first_commit() returns trigger language plpgsql as $$
      begin
        if nextval('${build?.schema}.commit_tries') = 1 then raise 'the first commit is refused'; end if;
        return null;
      end $$;
      create constraint trigger refuse_first_commit after insert or update on transit_delivery_period
      deferrable initially deferred for each row execute function refuse_first_commit()`)
      await fillAndAwait(orderId, amountDue)
      const [tries] = await sql`select last_value > 1 as "isRefused" from commit_tries`
      expect(tries).toEqual({ isRefused: true })
      expect((await readPaid()) - before).toBe(amountDue)
      await sql.unsafe('drop function refuse_first_commit() cascade; drop sequence commit_tries')
      await sql.end()
    })
  })
}

function place(user: LocalAccount) {
  return placeOrder(product.world, {
    user,
    sourceChainId: 1,
    destinationChainId: 1,
    offerAsset: tokens.USDC,
    wantAsset: tokens.USDG,
    offerAmount: 50_000_000n,
  })
}

async function placeOpenOrder() {
  const { orderId, netOfferAmount } = await place(userAt(0))
  // Waits until the order appears.
  const response = await fetch(`${product.url}/v1/transit/orders/${orderId}?waitSeconds=25`)
  expect(response.status).toBe(200)
  return { orderId, amountDue: netOfferAmount }
}

async function fill(...payments: { orderId: Hex; amount: bigint }[]) {
  await executeOrders(
    worldClient(product.world, 1),
    station,
    payments.map((payment) => ({ ...payment, wantAsset: tokens.USDG })),
  )
}

/** Pays, and resolves when the order shows it. */
async function fillAndAwait(orderId: Hex, amount: bigint) {
  const { body, headers } = await ask(orderId)
  const remaining = BigInt(String(body.order.remainingAmountDue)) - amount
  const held = awaitRemaining(orderId, headers.get('etag') ?? '', remaining)
  await fill({ orderId, amount })
  expect((await held).status).toBe(200)
}

/** Waits as a client does: with the newest ETag, because the order's expected time may change before it is paid. */
async function awaitRemaining(orderId: Hex, etag: string, remaining: bigint) {
  const answer = await ask(orderId, 25, etag)
  // A process on a busy machine refuses some of many requests at once.
  if (answer.status === 503) await sleep(1_000)
  else if (answer.status !== 200 || answer.body.order.remainingAmountDue === String(remaining))
    return answer
  return awaitRemaining(orderId, answer.headers.get('etag') ?? etag, remaining)
}

function get(orderId: Hex, wait?: { waitSeconds: number; etag: string }): Promise<Response> {
  const query = wait ? `?waitSeconds=${wait.waitSeconds}` : ''
  return fetch(`${product.url}/v1/transit/orders/${orderId}${query}`, {
    headers: wait ? { 'if-none-match': wait.etag } : {},
  })
}

function placeOrders() {
  return Promise.all(DEVNET_USERS.slice(0, ORDERS).map(place))
}

async function etagOf(orderId: Hex): Promise<string> {
  await expect.poll(async () => (await ask(orderId)).status).toBe(200)
  return (await ask(orderId)).headers.get('etag') ?? ''
}

/** All requests have been read and wait: only the check of each second remains. */
async function untilQuiet() {
  for (let count = Number.POSITIVE_INFINITY; count > 4; count = tap.takeStatements().length)
    await sleep(1_000)
}

function ask(orderId: Hex, waitSeconds = 0, etag?: string) {
  const url = `${product.url}/v1/transit/orders/${orderId}?waitSeconds=${waitSeconds}`
  return getJson(url, etag ? { 'if-none-match': etag } : {})
}
