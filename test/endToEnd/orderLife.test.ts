import { createClient } from 'graphql-sse'
import { type Address, getAddress, type Hex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitOrderFragment } from '../../api/rest/transitOrderFragment.ts'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployWorld.ts'
import { distributorCodeOf, placeOrder } from '../../devnet/placeOrder.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { worldClient } from '../../devnet/world.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { type OrderOnChain, orderOnChain } from '../support/orderOnChain.ts'
import { ORDER_STEPS, type OrderStep } from '../support/orderSteps.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

type Life = {
  from: number
  to: number
  offer: TokenSymbol
  want: TokenSymbol
  offerAmount: bigint
  integratorFee?: bigint
  distributorCode?: Hex
  steps: OrderStep[]
  /** One more than there are steps. */
  statuses: string[]
  /** What is owed at first: the net offer, in the decimals of the want asset. */
  amountDue: bigint
}

const BRIDGED = ['PENDING_BRIDGE', 'PROCESSING', 'PROCESSING', 'PROCESSED']

const LIVES: Record<string, Life> = {
  'from 1 to 4663, in parts, 18 to 6 decimals': {
    ...{ from: 1, to: 4663, offer: 'USDS', want: 'USDG' },
    offerAmount: 250_123456789012345678n,
    integratorFee: 1_000000000000000001n,
    distributorCode: distributorCodeOf('end to end'),
    steps: ['deliver', 'fillPart', 'fill'],
    statuses: BRIDGED,
    amountDue: 248_873333n,
  },
  'from 4663 to 1, in parts, 6 to 18 decimals': {
    ...{ from: 4663, to: 1, offer: 'USDG', want: 'USDS' },
    offerAmount: 75_654321n,
    steps: ['deliver', 'fillPart', 'fill'],
    statuses: BRIDGED,
    amountDue: 75_578667n * 10n ** 12n,
  },
  'on one chain, at once': {
    ...{ from: 1, to: 1, offer: 'USDC', want: 'USDS' },
    offerAmount: parseUnits('40', 6),
    steps: ['fill'],
    statuses: ['PROCESSING', 'PROCESSED'],
    amountDue: parseUnits('39.96', 18),
  },
  'on one chain, in parts': {
    ...{ from: 4663, to: 4663, offer: 'USDC', want: 'USDG' },
    offerAmount: parseUnits('10', 6),
    integratorFee: 12_345n,
    steps: ['fillPart', 'fillPart', 'fill'],
    statuses: ['PROCESSING', 'PROCESSING', 'PROCESSING', 'PROCESSED'],
    amountDue: 9_977655n,
  },
  'removed after a part': {
    ...{ from: 4663, to: 1, offer: 'USDG', want: 'USDC' },
    offerAmount: parseUnits('90', 6),
    steps: ['deliver', 'fillPart', 'remove'],
    statuses: ['PENDING_BRIDGE', 'PROCESSING', 'PROCESSING', 'REMOVED'],
    amountDue: parseUnits('89.91', 6),
  },
  'tombstoned before it arrives': {
    ...{ from: 1, to: 4663, offer: 'USDP', want: 'USDG' },
    offerAmount: parseUnits('15', 18),
    steps: ['tombstone'],
    statuses: ['PENDING_BRIDGE', 'REMOVED'],
    amountDue: parseUnits('14.985', 6),
  },
}

type Lived = { id: Hex; from: number; to: number; receiver: Address; last: OrderOnChain }

const [user] = DEVNET_USERS
const lived: Lived[] = []
let database: TestDatabase
let product: TestProduct

beforeAll(async () => {
  database = await createTestDatabase()
  product = await startTestProduct({ databaseUrl: database.url })
})

afterAll(async () => {
  await product?.stop()
  await database?.drop()
})

describe('an order', () => {
  test.each(Object.entries(LIVES))('%s', async (_, life) => {
    const { id, receiver } = await place(life)
    const poll = pollStatuses(id)
    const stream = streamStates(id)
    const states: [status: unknown, remaining: unknown][] = []
    const order = { orderId: id, ...life }
    let truth = await agreeWithChain(order)
    for (const step of [null, ...life.steps]) {
      if (step) {
        await ORDER_STEPS[step](product.world, order)
        truth = await agreeWithChain(order)
      }
      states.push([truth.order.status, truth.order.remainingAmountDue])
      await expect.poll(() => stream.states, { timeout: 5_000 }).toEqual(states)
    }
    stream.stop()
    expect(states.map(([status]) => status)).toEqual(life.statuses)
    expect(states[0]?.[1]).toBe(String(life.amountDue))
    expect(await poll.stop()).toEqual([...new Set(life.statuses)])
    lived.push({ id, from: life.from, to: life.to, receiver, last: truth })
  })

  test('behavior: final once its blocks are deep enough, everything else as it was', async () => {
    await mine(64)
    for (const { last } of lived) expect(last.order.finalized).toBe(false)
    await mine(10)
    for (const order of lived) {
      const before = order.last.order
      order.last = await agreeWithChain({ orderId: order.id, ...order })
      expect(order.last.order).toEqual({ ...before, finalized: true })
    }
  })

  test('behavior: over GraphQL it is the same', async () => {
    const query = `query ($id: Hash!) { transitOrder(id: $id) { ...TransitOrder } } ${transitOrderFragment}`
    for (const { id, last } of lived) {
      const response = await fetch(`${product.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { id } }),
      })
      expect(await response.json()).toEqual({ data: { transitOrder: last.order } })
    }
  })
})

describe('the list of orders', () => {
  test('default: all of a user, newest first, each as by its id', async () => {
    const { body } = await list({ userAddress: user?.address })
    expect(body.orders).toEqual(newestFirst().map(({ last }) => last.order))
    expect(body.nextPageToken).toBeNull()
    const metadata = body.orders.map((order: { tokenMetadata: object }) => order.tokenMetadata)
    expect(Object.keys(body.tokenMetadata).sort()).toEqual(
      [...new Set(metadata.flatMap(Object.keys))].sort(),
    )
  })

  test('behavior: by receiver, in any case', async () => {
    for (const { id, receiver } of lived) {
      const { body } = await list({ userAddress: receiver.toLowerCase() })
      expect(idsOf(body)).toEqual([id])
    }
  })

  test.each([
    ['status', 'status'],
    ['offerAsset', 'offerAsset'],
    ['wantAsset', 'wantAsset'],
    ['sourceChain', 'sourceChainId'],
    ['sourceChainId', 'sourceChainId'],
    ['destinationChain', 'destinationChainId'],
    ['destinationChainId', 'destinationChainId'],
  ])('behavior: filtered by %s', async (key, field) => {
    const values = new Set(lived.map(({ last }) => last.order[field]))
    expect(values.size).toBeGreaterThan(1)
    for (const value of values)
      for (const operator of ['=', '!=']) {
        const { body } = await list({
          userAddress: user?.address,
          filter: `${key} ${operator} ${value}`,
        })
        const matching = newestFirst().filter(
          ({ last }) => (last.order[field] === value) === (operator === '='),
        )
        expect([operator, idsOf(body)]).toEqual([operator, matching.map(({ id }) => id)])
      }
  })

  test('behavior: by any transaction of an order', async () => {
    const seen = new Set<string>()
    for (const { id, last } of lived)
      for (const { event, transactionHash } of last.events) {
        const { body } = await list({ filter: `txHash = ${transactionHash}` })
        expect([event, idsOf(body)]).toEqual([event, [id]])
        seen.add(event)
      }
    expect([...seen].sort()).toEqual([
      'OrderBridgeReceived',
      'OrderBridged',
      'OrderExecuted',
      'OrderForceRemoved',
      'OrderReceived',
      'OrderSubmitted',
      'UUIDForceSetUsed',
    ])
  })
})

describe('what the index does not have', () => {
  test('error: an id that no station knows', async () => {
    const { status, reason } = await get(`/v1/transit/orders/0x${'5e'.repeat(32)}`)
    expect([status, reason]).toEqual([404, 'ORDER_NOT_FOUND'])
  })

  test('error: an order that the index has not reached; then it has', async () => {
    const life: Life = { ...LIVES['on one chain, at once'], from: 1, to: 1 } as Life
    product.indexer.pause()
    const { id } = await place(life)
    const { status, reason, headers } = await get(`/v1/transit/orders/${id}`)
    product.indexer.resume()
    expect([status, reason]).toEqual([503, 'NOT_YET_INDEXED'])
    expect(headers.get('retry-after')).toBe('1')
    await agreeWithChain({ orderId: id, from: 1, to: 1 })
  })
})

async function place({ from, to, offer, want, ...request }: Life) {
  if (!user) throw new Error('anvil has no default accounts')
  const receiver = privateKeyToAddress(generatePrivateKey())
  const { orderId } = await placeOrder(product.world, {
    user,
    receiver,
    sourceChainId: from,
    destinationChainId: to,
    offerAsset: DEPLOYMENT.tokens[offer],
    wantAsset: DEPLOYMENT.tokens[want],
    ...request,
  })
  return { id: orderId, receiver: getAddress(receiver) }
}

/** Waits until the answer is what the chains say at this moment, in every field. */
async function agreeWithChain(placement: { orderId: Hex; from: number; to: number }) {
  const truth = await orderOnChain(product.world, placement)
  const path = `/v1/transit/orders/${placement.orderId}`
  await expect
    .poll(async () => (await get(path)).body, { timeout: 8_000, interval: 30 })
    .toEqual({ order: truth.order })
  const { url, status, body, headers } = await get(path)
  expect(undescribed(url, status, body)).toEqual([])
  const indexed = new Map(
    (headers.get('x-indexed-blocks') ?? '').split(',').map((entry): [number, bigint] => {
      const [chainId, block] = entry.split('=')
      return [Number(chainId), BigInt(block ?? 0)]
    }),
  )
  expect([...indexed.keys()].sort()).toEqual([...new Set([placement.from, placement.to])].sort())
  for (const { chainId, block } of truth.events)
    expect(indexed.get(chainId)).toBeGreaterThanOrEqual(block)
  return truth
}

/** Polls as clients do, from now on; `stop` says every status seen, each once per stay. */
function pollStatuses(id: Hex) {
  const seen: string[] = []
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const { body } = await get(`/v1/transit/orders/${id}`)
      const status = body.order?.status
      if (status && status !== seen.at(-1)) seen.push(status)
    }
  })()
  return {
    async stop() {
      isOver = true
      await done
      return seen
    },
  }
}

type State = { transitOrder: { status: string; remainingAmountDue: string } }

/** Every state that the subscription tells. */
function streamStates(id: Hex) {
  const states: [status: string, remaining: string][] = []
  const client = createClient({ url: `${product.url}/graphql/stream`, retryAttempts: 0 })
  const query = `subscription { transitOrder(id: "${id}") { status remainingAmountDue } }`
  const stop = client.subscribe<State>(
    { query },
    {
      next: ({ data }) => {
        if (data) states.push([data.transitOrder.status, data.transitOrder.remainingAmountDue])
      },
      error: (error) => expect.unreachable(String(error)),
      complete: () => {},
    },
  )
  return { states, stop }
}

async function mine(blocks: number) {
  for (const chainId of [1, 4663]) await worldClient(product.world, chainId).mine({ blocks })
}

function newestFirst(): Lived[] {
  const place = ({ last, id }: Lived) => `${last.order.createdAt} ${id}`
  return lived.toSorted((a, b) => (place(a) < place(b) ? 1 : -1))
}

function list(query: Record<string, string | undefined>) {
  const given = Object.entries(query).flatMap(([key, value]) => (value ? [[key, value]] : []))
  return get(`/v1/transit/orders?${new URLSearchParams(given)}`)
}

async function get(path: string) {
  const url = `${product.url}${path}`
  const response = await fetch(url)
  const body = await response.json()
  const reason = body.error?.details?.at(-1)?.reason ?? null
  return { url, status: response.status, headers: response.headers, body, reason }
}

function idsOf(body: { orders: { id: Hex }[] }): Hex[] {
  return body.orders.map(({ id }) => id)
}
