import type { Hex } from 'viem'
import { WebSocket } from 'ws'
import { migrate } from '../db/migrate.ts'
import { DEVNET_USERS } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployWorld.ts'
import { fillOrders } from '../devnet/fillOrders.ts'
import { placeOrder } from '../devnet/placeOrder.ts'
import { worldClient } from '../devnet/world.ts'
import { startTestProduct, type TestProduct } from '../test/support/product.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'

/**
 * From the node's own new-head message to the complete answer of a `waitSeconds=25` request, with
 * this process as the one clock. Blocks of one second; ten orders change in each block. Starts
 * everything itself: `node bench/waitSeconds.ts [orders]`.
 */
const ORDERS = Number(process.argv[2] ?? 120)
const BOUND_MS = 300
const CHAIN_ID = 1
const { station, tokens } = DEPLOYMENT
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
let product: TestProduct | undefined
try {
  await migrate(postgres.url)
  product = await startTestProduct({ databaseUrl: postgres.url, blockTimeSeconds: 1 })
  report(await measure(product))
} finally {
  await product?.stop()
  await postgres.stop()
}

async function measure(running: TestProduct): Promise<number[]> {
  const heads = await watchHeads(running.wsUrls[CHAIN_ID] ?? '')
  const delays: number[] = []
  while (delays.length < ORDERS) delays.push(...(await measureBlock(running, heads.times)))
  heads.stop()
  return delays.slice(0, ORDERS)
}

/** One order of each user, all filled in one block; the delay of each answer in milliseconds. */
async function measureBlock({ world, url }: TestProduct, heads: Map<bigint, number>) {
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
  const waits = await Promise.all(orders.map(({ orderId }) => startWait(url, orderId)))
  const receipt = await fillOrders(
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

/** Resolves once the request is on its way; `answered` is when its body was complete. */
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

function report(delays: number[]) {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1).padStart(7)
  print(`${sorted.length} orders, from the node's new-head message to the answer, in ms:`)
  print(`p50 ${at(0.5)}  p90 ${at(0.9)}  p99 ${at(0.99)}  max ${at(1)}  (bound ${BOUND_MS})`)
  if ((sorted.at(-1) ?? 0) > BOUND_MS) process.exitCode = 1
}
