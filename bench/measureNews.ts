import type { Hex } from 'viem'
import { WebSocket } from 'ws'
import { migrate } from '../db/migrate.ts'
import { DEVNET_USERS } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import { executeOrders } from '../devnet/executeOrders.ts'
import { placeOrder } from '../devnet/placeOrder.ts'
import { worldClient } from '../devnet/world.ts'
import { type FaultyNode, startFaultyNode } from '../test/support/faultyNode.ts'
import { percentile } from '../test/support/percentile.ts'
import { type NodeUrls, startTestProduct, type TestProduct } from '../test/support/product.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import type { BenchOptions, Figure } from './figure.ts'

const MOST_MS = { p50: 35, p99: 100 }
/** The default of INDEX_POLL_MS. */
const POLL_MS = 500
const CHAIN_ID = 1
const { station, tokens } = DEPLOYMENT

type Way = {
  name: string
  start: StartWait
  isBounded?: true
  nodesThrough?: (nodes: NodeUrls) => Promise<NodeUrls>
}
/** Resolves once the server waits; `answered` is the time at which the news was complete. */
type StartWait = (url: string, orderId: Hex) => Promise<{ answered: Promise<number> }>

const proxies: FaultyNode[] = []
const ways: Way[] = [
  { name: 'websockets, REST', start: startWait, isBounded: true },
  { name: 'websockets, SSE', start: startStream, isBounded: true },
  {
    name: `polling, ${POLL_MS} ms, REST`,
    start: startWait,
    nodesThrough: async ({ rpcUrls }) => ({ rpcUrls, wsUrls: {} }),
  },
  {
    name: 'websockets, one call in ten dropped, REST',
    start: startWait,
    nodesThrough: throughLossyDoors,
  },
]

/**
 * Measures the time from the node's new-head message to the news of an order: the complete answer of a
 * `waitSeconds=25` request, and the event of a stream (SSE). By the clock of this process. Blocks of one second; ten
 * orders change in each block. With websockets, which has bounds; if they are named, also with polling alone and with
 * nodes that drop one call in ten.
 */
export async function measureNews({ report, isWanted, isNamed }: BenchOptions, orders: number) {
  for (const way of ways) {
    if (!(way.isBounded ? isWanted : isNamed)(way.name)) continue
    const delays = await run(way, orders)
    const figure = (share: number, most: number): Figure => ({
      values: [percentile(delays, share)],
      ...(way.isBounded ? { most } : {}),
    })
    report({
      group: `From a new head to the news of an order: ${orders} orders`,
      name: way.name,
      figures: { p50: figure(0.5, MOST_MS.p50), p99: figure(0.99, MOST_MS.p99) },
    })
  }
  for (const proxy of proxies) await proxy.stop()
}

async function run({ start, nodesThrough }: Way, orders: number): Promise<number[]> {
  const postgres = await startBenchPostgres()
  let product: TestProduct | undefined
  try {
    await migrate(postgres.url)
    product = await startTestProduct({
      databaseUrl: postgres.url,
      blockTimeSeconds: 1,
      pollIntervalMs: POLL_MS,
      ...(nodesThrough ? { nodesThrough } : {}),
    })
    return await measure(product, start, orders)
  } finally {
    await product?.stop()
    await postgres.stop()
  }
}

async function throughLossyDoors({ rpcUrls, wsUrls }: NodeUrls): Promise<NodeUrls> {
  const through: NodeUrls = { rpcUrls: {}, wsUrls: {} }
  for (const id of Object.keys(rpcUrls).map(Number)) {
    const node = { rpcUrl: rpcUrls[id] ?? '', wsUrl: wsUrls[id] ?? '' }
    const proxy = await startFaultyNode({ ...node, other: node })
    await proxy.fall('lossy')
    proxies.push(proxy)
    through.rpcUrls[id] = proxy.rpcUrl
    through.wsUrls[id] = proxy.wsUrl
  }
  return through
}

async function measure(running: TestProduct, start: StartWait, orders: number) {
  const heads = await watchHeads(running.wsUrls[CHAIN_ID] ?? '')
  const delays: number[] = []
  while (delays.length < orders) delays.push(...(await measureBlock(running, heads.times, start)))
  heads.stop()
  return delays.slice(0, orders)
}

/** One order of each user, all executed in one block; the delay of each answer in milliseconds. */
async function measureBlock(
  { world, url }: TestProduct,
  heads: Map<bigint, number>,
  start: StartWait,
) {
  const orders = await Promise.all(
    DEVNET_USERS.map((user) =>
      placeOrder(world, {
        user,
        sourceChainId: CHAIN_ID,
        destinationChainId: CHAIN_ID,
        offerAsset: tokens.USDC,
        wantAsset: tokens.USDG,
        offerAmount: 10_000_000n,
      }),
    ),
  )
  const waits = await Promise.all(orders.map(({ orderId }) => start(url, orderId)))
  const receipt = await executeOrders(
    worldClient(world, CHAIN_ID),
    station,
    orders.map(({ orderId, netOfferAmount }) => ({
      orderId,
      wantAsset: tokens.USDG,
      amount: netOfferAmount,
    })),
  )
  const answeredAt = await Promise.all(waits.map(({ answered }) => answered))
  const head = heads.get(receipt.blockNumber)
  if (head === undefined) throw new Error(`no new-head message of block ${receipt.blockNumber}`)
  return answeredAt.map((time) => time - head)
}

async function startWait(url: string, orderId: Hex) {
  const path = `${url}/v1/transit/orders/${orderId}`
  let known = await fetch(path)
  while (known.status !== 200) known = await fetch(`${path}?waitSeconds=1`)
  const headers = { 'if-none-match': known.headers.get('etag') ?? '' }
  const answered = fetch(`${path}?waitSeconds=25`, { headers }).then(async (response) => {
    const body = await response.text()
    const time = performance.now()
    if (response.status !== 200 || !body.includes('"status":"PROCESSED"'))
      throw new Error(`${orderId} was answered ${response.status}: ${body}`)
    return time
  })
  return { answered }
}

async function startStream(url: string, orderId: Hex) {
  const response = await fetch(`${url}/graphql/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      query: 'subscription ($id: Hash!) { transitOrder(id: $id) { id status } }',
      variables: { id: orderId },
    }),
  })
  const events = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (response.status !== 200 || !events)
    throw new Error(`a stream was answered ${response.status}`)
  const until = async (part: string) => {
    for (let text = ''; !text.includes(part); ) {
      const { value, done } = await events.read()
      if (done) throw new Error(`the stream of ${orderId} ended before ${part}: ${text}`)
      text += value
    }
    return performance.now()
  }
  await until(orderId)
  const answered = until('"PROCESSED"').then(async (time) => {
    await events.cancel()
    return time
  })
  return { answered }
}

async function watchHeads(wsUrl: string) {
  const times = new Map<bigint, number>()
  const socket = new WebSocket(wsUrl)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.on('message', (data) => {
    const { params } = JSON.parse(String(data))
    if (params?.result?.number) times.set(BigInt(params.result.number), performance.now())
  })
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  return { times, stop: () => socket.close() }
}
