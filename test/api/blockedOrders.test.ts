import { type Hex, pad, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import type { TransitOrderStatus } from '../../domain/transit/orders/transitOrder.ts'
import { deployer, send, startStationWorld } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import type { FaultyNode } from '../support/faultyNode.ts'
import { getJson } from '../support/getJson.ts'
import { encodeHandCall, type HandCall } from '../support/handCall.ts'
import { handClock } from '../support/handClock.ts'
import { deleteOrders, insertOrders, orderRow } from '../support/insertOrder.ts'
import { revertChains } from '../support/revertChains.ts'
import { startStationNode } from '../support/stationNodes.ts'

/** Orders that the destination cannot pay now, on a route from chain 4663 to chain 1. */

type Outlook = {
  id: Hex
  expectedBy: string | null
  blockedBy: { reason: string; account?: string } | null
}

const { tokens, station } = DEPLOYMENT
const RECEIVER = userAt(1).address
const DAY = 86_400
const now = () => Math.floor(Date.now() / 1_000)
const FROZEN = { reason: 'ACCOUNT_FROZEN', account: RECEIVER }
const PAUSED = { reason: 'STATION_PAUSED' }
/** The endpoint id of chain 4663. */
const SOURCE_EID = 30_416

let world: Awaited<ReturnType<typeof startStationWorld>>
let node: FaultyNode
let api: TestApi
const clock = handClock()
beforeAll(async () => {
  world = await startStationWorld()
  node = await startStationNode(world, 1)
  const rpcUrls = { 1: [node.rpcUrl], 4663: [world.rpcUrls[4663] ?? ''] }
  api = await startTestApi({ world, clock, rpcUrls })
})
afterAll(async () => {
  await api?.stop()
  await node?.stop()
  await world?.stop()
})
revertChains(() => [worldClient(world, 1)])
beforeEach(async () => {
  await deleteOrders(api.context.sql)
  later()
})

/** Until nothing that was read of a chain or a route is kept. */
function later() {
  clock.advance(20_000)
}

const onChain = (address: Hex, call: HandCall) =>
  send(world, 1, { address, account: deployer, data: encodeHandCall(call) })
const block = () => onChain(tokens.USDC, ['function blacklist(address)', RECEIVER])
const unblock = () => onChain(tokens.USDC, ['function unBlacklist(address)', RECEIVER])
const pause = () => onChain(station, ['function pause()'])

/** An order that was submitted so long ago. */
function orderOf(id: number, status: TransitOrderStatus, age: number, took = 5) {
  const createdAt = BigInt(now() - age)
  const isPaid = status === 'PROCESSED'
  return orderRow({
    id: pad(toHex(id), { size: 32 }),
    source_chain_id: 4663,
    destination_chain_id: 1,
    offer_asset: tokens.USDG.toLowerCase() as Hex,
    want_asset: tokens.USDC.toLowerCase() as Hex,
    receiver: RECEIVER.toLowerCase() as Hex,
    status,
    created_at: createdAt,
    updated_at: createdAt + BigInt(took),
    ...(isPaid ? { remaining_amount_due: '0' } : {}),
  })
}
const insert = (...rows: ReturnType<typeof orderOf>[]) => insertOrders(api.context.sql, rows)
/** Paid orders of the route, each of which took so many seconds. */
const history = (took: number) =>
  Array.from({ length: 10 }, (_, index) => orderOf(100 + index, 'PROCESSED', 5 * DAY + index, took))

async function read(id: number): Promise<Outlook> {
  const url = `${api.url}/v1/transit/orders/${pad(toHex(id), { size: 32 })}`
  const { status, body } = await getJson<{ order: Outlook }>(url)
  expect([status, undescribed(url, status, body)]).toEqual([200, []])
  return body.order
}

test('default: an order that nothing blocks, with and without a promise', async () => {
  await insert(orderOf(1, 'PROCESSING', 60))
  expect(await read(1)).toMatchObject({ expectedBy: null, blockedBy: null })
  await insert(...history(30))
  later()
  const { expectedBy, blockedBy } = await read(1)
  expect([Date.parse(expectedBy ?? '') < Date.now(), blockedBy]).toEqual([true, null])
})

test('behavior: the issuer blocks the receiver: no promise, by id, in lists and over GraphQL', async () => {
  await insert(orderOf(1, 'PROCESSING', 60), ...history(30))
  await block()
  expect(await read(1)).toMatchObject({ expectedBy: null, blockedBy: FROZEN })
  const listed = await getJson<{ orders: Outlook[] }>(
    `${api.url}/v1/transit/orders?userAddress=${RECEIVER}&filter=${encodeURIComponent('status = PROCESSING')}`,
  )
  expect(listed.body.orders).toMatchObject([{ expectedBy: null, blockedBy: FROZEN }])
  const query = `{ transitOrder(id: "${pad('0x1', { size: 32 })}") { expectedBy blockedBy { reason account } } }`
  const answer = await ask(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  expect(await answer.json()).toMatchObject({
    data: { transitOrder: { expectedBy: null, blockedBy: FROZEN } },
  })

  await unblock()
  later()
  const { expectedBy, blockedBy } = await read(1)
  expect([expectedBy === null, blockedBy]).toEqual([false, null])
})

test('behavior: the destination is paused; a blocked receiver counts first', async () => {
  await insert(orderOf(1, 'PROCESSING', 60))
  await pause()
  expect((await read(1)).blockedBy).toEqual(PAUSED)
  await block()
  later()
  expect((await read(1)).blockedBy).toEqual(FROZEN)
})

test('behavior: the issuer has paused all transfers', async () => {
  await insert(orderOf(1, 'PROCESSING', 60))
  await onChain(tokens.USDC, ['function setPaused(bool)', true])
  expect((await read(1)).blockedBy).toEqual({ reason: 'TOKEN_PAUSED' })
})

test('behavior: the destination takes no more messages of the source', async () => {
  await insert(orderOf(1, 'PENDING_BRIDGE', 60), orderOf(2, 'PROCESSING', 60))
  expect((await read(1)).blockedBy).toBeNull()
  await onChain(station, ['function setPeer(uint32, bytes32)', SOURCE_EID, pad('0x')])
  later()
  expect((await read(1)).blockedBy).toEqual({ reason: 'STATION_NOT_CONNECTED' })
  expect((await read(2)).blockedBy).toBeNull()
})

test('behavior: an order under way is not looked at for its receiver; one that has ended not at all', async () => {
  await insert(orderOf(1, 'PENDING_BRIDGE', 60), orderOf(2, 'PROCESSED', 60))
  await block()
  await pause()
  expect((await read(1)).blockedBy).toBeNull()
  node.takeCalls()
  later()
  expect((await read(2)).blockedBy).toBeNull()
  expect(node.takeCalls()).toEqual([])
})

test('behavior: before its promise has passed, a read asks no node', async () => {
  await insert(orderOf(1, 'PROCESSING', 60), ...history(DAY))
  await block()
  node.takeCalls()
  const { expectedBy, blockedBy } = await read(1)
  expect([Date.parse(expectedBy ?? '') > Date.now(), blockedBy]).toEqual([true, null])
  expect(node.takeCalls()).toEqual([])
})

test('behavior: many late orders are two calls, which later reads share', async () => {
  await insert(...Array.from({ length: 50 }, (_, id) => orderOf(id, 'PROCESSING', 60 + id)))
  const list = `${api.url}/v1/transit/orders?userAddress=${RECEIVER}&pageSize=50`
  node.takeCalls()
  for (let round = 0; round < 5; round += 1) expect((await getJson(list)).status).toBe(200)
  expect(node.takeCalls().length).toBeLessThanOrEqual(2)
})

test('behavior: while the node is silent, an order is read all the same', async () => {
  await insert(orderOf(1, 'PROCESSING', 60))
  await block()
  await node.fall('silent')
  try {
    const start = performance.now()
    expect((await read(1)).blockedBy).toBeNull()
    expect(performance.now() - start).toBeLessThan(2_000)
  } finally {
    await node.fall('well')
  }
})
