import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { executeOrders } from '../../devnet/executeOrders.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

const { tokens, station } = DEPLOYMENT

let product: TestProduct

beforeAll(async () => {
  product = await startTestProduct()
})
afterAll(() => product?.stop())

describe('waitSeconds', () => {
  test('behavior: with the ETag it is held until the order changes, and is a 304 if it does not', async () => {
    const { orderId, amountDue } = await placeOpenOrder()
    const first = await get(orderId)
    const etag = first.headers.get('etag') ?? ''
    const unchanged = await get(orderId, { waitSeconds: 1, etag })
    expect(unchanged.status).toBe(304)

    const held = get(orderId, { waitSeconds: 25, etag })
    const startedAt = performance.now()
    await fill(orderId, amountDue)
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
    const held = get(orderId, { waitSeconds: 25, etag })
    const sql = connect(product.databaseUrl, { applicationName: 'test', max: 1 })
    const ended = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'causeway-index-listener'`
    await sql.end()
    expect(ended).toHaveLength(1)
    await fill(orderId, amountDue)
    expect(await (await held).json()).toMatchObject({ order: { status: 'PROCESSED' } })
  })

  test('behavior: an order that already differs from the ETag answers at once', async () => {
    const { orderId } = await placeOpenOrder()
    const response = await get(orderId, { waitSeconds: 25, etag: '"of another state"' })
    expect(response.status).toBe(200)
  })
})

describe('a subscription over server-sent events', () => {
  test('sees the present state and every change', async () => {
    const { orderId, amountDue } = await placeOpenOrder()
    const gone = new AbortController()
    const response = await fetch(`${product.url}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        query: `subscription { transitOrder(id: "${orderId}") { status remainingAmountDue } }`,
      }),
      signal: gone.signal,
    })
    const states = statesOf(response)
    expect(await states.next()).toMatchObject({ value: `PROCESSING ${amountDue}` })
    await fill(orderId, 1n)
    expect(await states.next()).toMatchObject({ value: `PROCESSING ${amountDue - 1n}` })
    await fill(orderId, amountDue - 1n)
    expect(await states.next()).toMatchObject({ value: 'PROCESSED 0' })
    gone.abort()
  })
})

async function placeOpenOrder() {
  const [user] = DEVNET_USERS
  if (!user) throw new Error('the world has users')
  const { orderId, netOfferAmount } = await placeOrder(product.world, {
    user,
    sourceChainId: 1,
    destinationChainId: 1,
    offerAsset: tokens.USDC,
    wantAsset: tokens.USDG,
    offerAmount: 50_000_000n,
  })
  // Waits until the order appears.
  const response = await fetch(`${product.url}/v1/transit/orders/${orderId}?waitSeconds=25`)
  expect(response.status).toBe(200)
  return { orderId, amountDue: netOfferAmount }
}

async function fill(orderId: Hex, amount: bigint) {
  await executeOrders(worldClient(product.world, 1), station, [
    { orderId, wantAsset: tokens.USDG, amount },
  ])
}

function get(orderId: Hex, wait?: { waitSeconds: number; etag: string }): Promise<Response> {
  const query = wait ? `?waitSeconds=${wait.waitSeconds}` : ''
  return fetch(`${product.url}/v1/transit/orders/${orderId}${query}`, {
    headers: wait ? { 'if-none-match': wait.etag } : {},
  })
}

/** `<status> <remainingAmountDue>` of each event of the stream. */
async function* statesOf(response: Response): AsyncGenerator<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1]
      if (!data) continue
      const { transitOrder: order } = JSON.parse(data).data
      yield `${order.status} ${order.remainingAmountDue}`
    }
  }
}
