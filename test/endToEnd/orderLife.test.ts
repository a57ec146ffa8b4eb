import { type Address, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fragmentOf } from '../../api/rest/fragmentOf.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { erc20, placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { type OrderOnChain, orderOnChain } from '../support/orderOnChain.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import type { TestProduct } from '../support/product.ts'
import { pollStatuses, streamStates } from '../support/watchOrder.ts'
import { worldStats } from '../support/worldStats.ts'
import { LIVES, type Life, LOCAL_LIFE } from './lives.ts'
import { startTappedProduct, type TappedProduct, testWaiting } from './waiting.ts'

type Lived = { id: Hex; from: number; to: number; receiver: Address; last: OrderOnChain }

const user = userAt(0)
const lived: Lived[] = []
let tapped: TappedProduct
let product: TestProduct

beforeAll(async () => {
  tapped = await startTappedProduct()
  product = tapped.product
})

afterAll(() => tapped?.stop())

describe('an order', () => {
  test.each(Object.entries(LIVES))('%s', async (_, life) => {
    const { id, receiver } = await place(life)
    const poll = pollStatuses(product.url, id)
    const stream = streamStates(product.url, id)
    onTestFinished(() => {
      stream.stop()
      return poll.stop()
    })
    const order = { orderId: id, ...life }
    const truths = [await agreeWithChain(order)]
    await expect.poll(() => stream.states).toEqual(statesOf(truths))
    for (const step of life.steps) {
      await ORDER_STEPS[step](product.world, order)
      truths.push(await agreeWithChain(order))
      await expect.poll(() => stream.states).toEqual(statesOf(truths))
    }
    expect(stream.failures).toEqual([])
    expect(truths.map((truth) => truth.order.status)).toEqual(life.statuses)
    await poll.stop()
    expect(poll.seen).toEqual([...new Set(life.statuses)])
    const last = truths.at(-1) as OrderOnChain
    expect(last.order.amountDue).toBe(String(life.amountDue))
    const paid = life.amountDue - BigInt(last.order.remainingAmountDue)
    expect(await balanceOf(receiver, life)).toBe(paid)
    lived.push({ id, from: life.from, to: life.to, receiver, last })
  })

  test('behavior: final once its blocks are deep enough, everything else as it was', async () => {
    const finalAfter = async (blocks: number) => {
      await mine(blocks)
      for (const order of lived) {
        const before = order.last.order
        order.last = await agreeWithChain({ orderId: order.id, ...order })
        expect(withoutFinality(order.last.order)).toEqual(withoutFinality(before))
      }
      return lived.filter(({ last }) => last.order.finalized)
    }
    expect(await finalAfter(20)).toEqual([])
    expect(await finalAfter(15)).toEqual(
      lived.filter(({ from, to }) => from === 4663 && to === 4663),
    )
    expect(await finalAfter(45)).toEqual(lived)
  })

  test('behavior: over GraphQL it is the same', async () => {
    const query = `query ($id: Hash!) { transitOrder(id: $id) { ...TransitOrder } } ${fragmentOf('TransitOrder')}`
    for (const { id, last } of lived) {
      const response = await fetch(`${product.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { id } }),
      })
      expect(await response.json()).toMatchObject({ data: { transitOrder: last.order } })
    }
  })
})

describe('the list of orders', () => {
  test('default: all of a user, newest first, each as by its id', async () => {
    const { body } = await list({ userAddress: user.address })
    expect(body.orders).toEqual(newestFirst().map(({ last }) => last.order))
    expect(body.nextPageToken).toBeNull()
    const metadata = body.orders.map(({ tokenMetadata }) => tokenMetadata)
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
          userAddress: user.address,
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

describe('the stats', () => {
  test.each([
    ['of all time', { startTime: 0, endTime: 1_999_999_999 }, 'at most 315360000 seconds'],
    ['by the hour', { startTime: 1_700_000_000, endTime: 1_999_999_999, interval: 3_600 }, ''],
    ['by ten days', { startTime: 1_700_000_001, endTime: 2_000_000_000, interval: 864_000 }, ''],
    ['of the whole time', { startTime: 1_700_000_000, endTime: 2_000_000_000 }, ''],
  ])('default: %s', async (_, range, refused) => {
    const text = Object.entries(range).map(([name, value]) => [name, String(value)])
    const path = `/v1/transit/stats?${new URLSearchParams(Object.fromEntries(text))}`
    if (refused) {
      expect(JSON.stringify((await get(path)).body.error)).toContain(refused)
      return
    }
    const expected = await worldStats(product.world, range)
    expect(expected.length).toBeGreaterThan(3)
    const { url, status, body } = await get(path)
    expect(undescribed(url, status, body)).toEqual([])
    expect(JSON.parse(JSON.stringify(body).toLowerCase()).transitstats).toEqual(
      JSON.parse(JSON.stringify(expected).toLowerCase()),
    )
  })
})

describe('what the index does not have', () => {
  test('error: an id that no station knows', async () => {
    const { status, reason } = await get(`/v1/transit/orders/0x${'5e'.repeat(32)}`)
    expect([status, reason]).toEqual([404, 'ORDER_NOT_FOUND'])
  })

  test('error: an order that the index has not reached; then it has', async () => {
    product.indexer.pause()
    const { id } = await place(LOCAL_LIFE)
    const { status, reason, headers } = await get(`/v1/transit/orders/${id}`)
    product.indexer.resume()
    expect([status, reason]).toEqual([503, 'NOT_YET_INDEXED'])
    expect(headers.get('retry-after')).toBe('1')
    await agreeWithChain({ orderId: id, ...LOCAL_LIFE })
  })
})

testWaiting(() => tapped)

async function place({ from, to, offer, want, ...request }: Life) {
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

/** Waits until the answer includes all events, and equals the chains' state in every field. */
async function agreeWithChain(placement: { orderId: Hex; from: number; to: number }) {
  const truth = await orderOnChain(product.world, placement)
  const read = async () => {
    const answer = await get(`/v1/transit/orders/${placement.orderId}`)
    const indexed = indexedBlocks(answer.headers)
    return { ...answer, indexed, isUpToDate: truth.events.every(isIn(indexed)) }
  }
  await expect
    .poll(read, { interval: 30 })
    .toMatchObject({ isUpToDate: true, body: { order: finalityOf(truth) } })
  const { url, status, body, indexed } = await read()
  // The chains do not have it: it follows from other orders.
  const { expectedBy } = body.order
  truth.order.expectedBy = expectedBy
  expect(expectedBy === null || isExpectedLater(truth)).toBe(true)
  expect(body).toEqual({ order: truth.order })
  expect(undescribed(url, status, body)).toEqual([])
  expect(new Set(indexed.keys())).toEqual(new Set([placement.from, placement.to]))
  return truth
}

function withoutFinality({ finalized: _, timeline, ...order }: OrderOnChain['order']) {
  return { ...order, timeline: timeline.map(({ finalized: __, ...step }) => step) }
}

/** Depths grow while nothing happens to the order: the index can be a block behind the truth. */
function finalityOf({ order: { finalized, timeline } }: OrderOnChain) {
  return { finalized, timeline: timeline.map((step) => ({ finalized: step.finalized })) }
}

function isExpectedLater({ order: { status, createdAt, expectedBy } }: OrderOnChain): boolean {
  const isOpen = status === 'PENDING_BRIDGE' || status === 'PROCESSING'
  return isOpen && String(expectedBy) >= String(createdAt)
}

/** `x-indexed-blocks`: the newest block that the answer was read at, by chain. */
function indexedBlocks(headers: Headers): Map<number, bigint> {
  const entries = (headers.get('x-indexed-blocks') ?? '').split(',').filter(Boolean)
  return new Map(
    entries.map((entry): [number, bigint] => {
      const [chainId, block] = entry.split('=')
      return [Number(chainId), BigInt(block ?? 0)]
    }),
  )
}

function isIn(indexed: Map<number, bigint>) {
  return ({ chainId, block }: { chainId: number; block: bigint }) =>
    (indexed.get(chainId) ?? -1n) >= block
}

/** Each state once, as a subscription must send them. */
function statesOf(truths: OrderOnChain[]) {
  return truths
    .map(({ order }) => [order.status, order.remainingAmountDue])
    .filter((state, index, all) => String(state) !== String(all[index - 1]))
}

function balanceOf(account: Address, { to, want }: Life): Promise<bigint> {
  return worldClient(product.world, to).readContract({
    address: DEPLOYMENT.tokens[want],
    abi: erc20,
    functionName: 'balanceOf',
    args: [account],
  })
}

async function mine(blocks: number) {
  for (const chainId of [1, 4663]) await worldClient(product.world, chainId).mine({ blocks })
}

function newestFirst(): Lived[] {
  const place = ({ last, id }: Lived) => `${last.order.createdAt} ${id}`
  return lived.toSorted((a, b) => (place(a) < place(b) ? 1 : -1))
}

function list(query: Record<string, string>) {
  return get(`/v1/transit/orders?${new URLSearchParams(query)}`)
}

function get(path: string) {
  return getJson(`${product.url}${path}`)
}

function idsOf(body: { orders: { id: Hex }[] }): Hex[] {
  return body.orders.map(({ id }) => id)
}
