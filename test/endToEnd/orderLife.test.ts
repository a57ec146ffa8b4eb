import { getAddress, type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEVNET_ACTORS, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployWorld.ts'
import { fillOrders } from '../../devnet/fillOrders.ts'
import { deliverPacket, readPackets } from '../../devnet/packets.ts'
import { distributorCodeOf, erc20, type PlacedOrder, placeOrder } from '../../devnet/placeOrder.ts'
import { removeOrder, tombstoneOrder } from '../../devnet/stationOwner.ts'
import { worldClient } from '../../devnet/world.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

type WireOrder = Record<string, unknown> & {
  status: string
  tokenMetadata: Record<string, unknown>
}

const { tokens, station } = DEPLOYMENT
const [payer, receiver] = DEVNET_USERS
const CODE = distributorCodeOf('partner')

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
}, 60_000)
afterAll(() => stack?.stop())

describe.each([
  { from: 1, to: 4663, offer: 'USDS', want: 'USDG', units: 10n ** 18n, wantDecimals: 6 },
  { from: 4663, to: 1, offer: 'USDG', want: 'USDS', units: 10n ** 6n, wantDecimals: 18 },
] as const)('an order from $from to $to', ({ from, to, offer, want, units, wantDecimals }) => {
  test('goes from PENDING_BRIDGE over a part to PROCESSED, every field as the chain says', async () => {
    const placed = await place({ from, to, offer, want, amount: 250n * units })
    const due = scale(placed.netOfferAmount, units === 10n ** 18n ? 18 : 6, wantDecimals)
    const submitted = await blockTime(from, placed.receipt)
    const base = expectedBase({ from, to, offer, want, amount: 250n * units }, placed, submitted)

    const pending = {
      ...base,
      status: 'PENDING_BRIDGE',
      amountDue: String(due),
      remainingAmountDue: String(due),
      receiveTime: 0,
      updatedAt: iso(submitted),
      orderExecuteds: [],
      orderForceRemoveds: [],
    }
    expect(await readOrder(placed.orderId)).toEqual(pending)

    const delivered = await deliver(from, to, placed.orderId)
    const processing = {
      ...pending,
      status: 'PROCESSING',
      receiveTime: Number(delivered.queuedAt),
      updatedAt: iso(later(submitted, delivered.queuedAt)),
    }
    expect(delivered.amountDue).toBe(due)
    expect(await readOrder(placed.orderId)).toEqual(processing)

    const before = await balance(to, want)
    const part = due / 4n
    const first = await fill(to, want, placed.orderId, part)
    const partly = {
      ...processing,
      remainingAmountDue: String(due - part),
      updatedAt: iso(later(submitted, first.timestamp)),
      orderExecuteds: [first.record],
    }
    expect(await readOrder(placed.orderId)).toEqual(partly)

    const second = await fill(to, want, placed.orderId, due - part)
    expect(await readOrder(placed.orderId)).toEqual({
      ...partly,
      status: 'PROCESSED',
      remainingAmountDue: '0',
      updatedAt: iso(later(submitted, second.timestamp)),
      orderExecuteds: [first.record, second.record],
    })
    expect((await balance(to, want)) - before).toBe(due)
  })
})

describe('an order on one chain', () => {
  test('goes from PROCESSING to PROCESSED', async () => {
    const terms = { from: 1, to: 1, offer: 'USDT', want: 'USDC', amount: 40_000_000n } as const
    const placed = await place(terms)
    const submitted = await blockTime(1, placed.receipt)
    const processing = {
      ...expectedBase(terms, placed, submitted),
      status: 'PROCESSING',
      amountDue: String(placed.netOfferAmount),
      remainingAmountDue: String(placed.netOfferAmount),
      receiveTime: Number(submitted),
      updatedAt: iso(submitted),
      orderExecuteds: [],
      orderForceRemoveds: [],
    }
    expect(await readOrder(placed.orderId)).toEqual(processing)
    const whole = await fill(1, 'USDC', placed.orderId, placed.netOfferAmount)
    expect(await readOrder(placed.orderId)).toEqual({
      ...processing,
      status: 'PROCESSED',
      remainingAmountDue: '0',
      updatedAt: iso(whole.timestamp),
      orderExecuteds: [whole.record],
    })
  })
})

describe('an order that is taken away', () => {
  test('force-removed after a part: REMOVED, and what was still owed stays', async () => {
    const placed = await place({
      from: 4663,
      to: 1,
      offer: 'USDG',
      want: 'USDC',
      amount: 90_000_000n,
    })
    await deliver(4663, 1, placed.orderId)
    const part = 1_000_000n
    const filled = await fill(1, 'USDC', placed.orderId, part)
    await removeOrder(stack.world, 1, placed.orderId)
    const [log] = await worldClient(stack.world, 1).getContractEvents({
      address: station,
      abi: transitStationAbi,
      eventName: 'OrderForceRemoved',
      args: { uuid: placed.orderId },
      fromBlock: 0n,
      strict: true,
    })
    if (!log) throw new Error('no removal on chain')
    const { timestamp } = await worldClient(stack.world, 1).getBlock({ blockHash: log.blockHash })
    expect(await readOrder(placed.orderId)).toMatchObject({
      status: 'REMOVED',
      amountDue: String(placed.netOfferAmount),
      remainingAmountDue: String(placed.netOfferAmount - part),
      updatedAt: iso(later(await blockTime(4663, placed.receipt), timestamp)),
      orderExecuteds: [filled.record],
      orderForceRemoveds: [
        {
          id: `1-${log.transactionHash}-${log.logIndex}`,
          timestamp: Number(timestamp),
          txHash: log.transactionHash,
          chainId: 1,
        },
      ],
    })
    expect(log.args.order.amountDue).toBe(placed.netOfferAmount - part)
  })

  test('tombstoned before it arrives: REMOVED, without a removal', async () => {
    const placed = await place({
      from: 1,
      to: 4663,
      offer: 'USDC',
      want: 'USDG',
      amount: 7_000_000n,
    })
    expect(await readOrder(placed.orderId)).toMatchObject({ status: 'PENDING_BRIDGE' })
    await tombstoneOrder(stack.world, 4663, placed.orderId)
    expect(await readOrder(placed.orderId)).toMatchObject({
      status: 'REMOVED',
      remainingAmountDue: String(placed.netOfferAmount),
      receiveTime: 0,
      orderExecuteds: [],
      orderForceRemoveds: [],
    })
  })

  test('tombstoned after it arrived: nothing changes', async () => {
    const placed = await place({
      from: 1,
      to: 4663,
      offer: 'USDC',
      want: 'USDG',
      amount: 8_000_000n,
    })
    await deliver(1, 4663, placed.orderId)
    const before = await readOrder(placed.orderId)
    await tombstoneOrder(stack.world, 4663, placed.orderId)
    expect(await readOrder(placed.orderId)).toEqual(before)
  })
})

describe('the answers around an order', () => {
  test('GraphQL says what REST says, and both name the blocks they stand on', async () => {
    const placed = await place({ from: 1, to: 1, offer: 'USDC', want: 'USDG', amount: 5_000_000n })
    await stack.untilLevel()
    const rest = await fetch(`${stack.url}/v1/transit/orders/${placed.orderId}`)
    const graphql = await fetch(`${stack.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `query ($id: Hash!) { order: transitOrder(id: $id) {
          id status sourceChainId destinationChainId offerAsset wantAsset offerAmount amountDue
          remainingAmountDue user receiver distributorCode receiveTime createdAt updatedAt finalized
          tokenMetadata orderExecuteds { id amount remaining timestamp txHash chainId }
          orderForceRemoveds { id timestamp txHash chainId } } }`,
        variables: { id: placed.orderId },
      }),
    })
    expect(((await graphql.json()) as { data: unknown }).data).toEqual(await rest.json())
    const indexed = /^1=(\d+)$/.exec(rest.headers.get('x-indexed-blocks') ?? '')?.[1]
    expect(Number(indexed)).toBeGreaterThanOrEqual(Number(placed.receipt.blockNumber))
  })

  test('an order becomes finalized when its blocks are deep enough', async () => {
    const placed = await place({
      from: 4663,
      to: 4663,
      offer: 'USDC',
      want: 'USDG',
      amount: 5_000_000n,
    })
    expect(await readOrder(placed.orderId)).toMatchObject({ finalized: false })
    await worldClient(stack.world, 4663).mine({ blocks: 29 })
    expect(await readOrder(placed.orderId)).toMatchObject({ finalized: false })
    await worldClient(stack.world, 4663).mine({ blocks: 1 })
    expect(await readOrder(placed.orderId)).toMatchObject({ finalized: true })
  })

  test('every transaction of an order finds it, as do its payer, its receiver and its terms', async () => {
    const placed = await place({
      from: 1,
      to: 4663,
      offer: 'USDC',
      want: 'USDG',
      amount: 33_000_000n,
    })
    const { transactionHash } = await deliver(1, 4663, placed.orderId)
    const filled = await fill(4663, 'USDG', placed.orderId, 1_000_000n)
    await stack.untilLevel()
    const transactions = [placed.receipt.transactionHash, transactionHash, filled.record.txHash]
    for (const hash of transactions)
      expect(await listIds(`filter=${encodeURIComponent(`txHash = ${hash}`)}`)).toEqual([
        placed.orderId,
      ])
    const filter = `sourceChain = 1 AND destinationChain = 4663 AND offerAsset = ${tokens.USDC} AND wantAsset = ${tokens.USDG} AND status = PROCESSING`
    for (const user of [payer, receiver])
      expect(
        await listIds(`userAddress=${user?.address}&filter=${encodeURIComponent(filter)}`),
      ).toContain(placed.orderId)
    expect(
      await listIds(
        `userAddress=${payer?.address}&filter=${encodeURIComponent('status = REMOVED')}`,
      ),
    ).not.toContain(placed.orderId)
  })

  test('error: an id that no chain knows is a 404', async () => {
    const response = await fetch(`${stack.url}/v1/transit/orders/0x${'ab'.repeat(32)}`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('ORDER_NOT_FOUND')
  })
})

type Terms = {
  from: number
  to: number
  offer: keyof typeof tokens
  want: keyof typeof tokens
  amount: bigint
}

function place({ from, to, offer, want, amount }: Terms): Promise<PlacedOrder> {
  if (!payer || !receiver) throw new Error('the world has users')
  return placeOrder(stack.world, {
    user: payer,
    receiver: receiver.address,
    sourceChainId: from,
    destinationChainId: to,
    offerAsset: tokens[offer],
    wantAsset: tokens[want],
    offerAmount: amount,
    integratorFee: amount / 1_000n,
    distributorCode: CODE,
  })
}

/** What stays the same over an order's life, from the submission on chain. */
function expectedBase({ from, to, offer, want, amount }: Terms, placed: PlacedOrder, time: bigint) {
  const [event] = parseEventLogs({
    abi: transitStationAbi,
    eventName: 'OrderSubmitted',
    logs: placed.receipt.logs,
  })
  expect(event?.args.uuid).toBe(placed.orderId)
  expect(event?.args.quote.offerAmount).toBe(amount)
  return {
    id: placed.orderId,
    sourceChainId: from,
    destinationChainId: to,
    offerAsset: getAddress(tokens[offer]),
    wantAsset: getAddress(tokens[want]),
    offerAmount: String(amount),
    user: event?.args.user,
    receiver: event?.args.quote.receiver,
    distributorCode: CODE,
    createdAt: iso(time),
    finalized: false,
    tokenMetadata: expect.objectContaining({
      [`${from}:${getAddress(tokens[offer])}`]: expect.objectContaining({ symbol: offer }),
      [`${to}:${getAddress(tokens[want])}`]: expect.objectContaining({ symbol: want }),
    }),
  }
}

/** The order over REST, once the index is at the nodes' heads. */
async function readOrder(id: Hex): Promise<WireOrder> {
  await stack.untilLevel()
  const response = await fetch(`${stack.url}/v1/transit/orders/${id}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { order: WireOrder }).order
}

async function listIds(query: string): Promise<string[]> {
  const response = await fetch(`${stack.url}/v1/transit/orders?${query}&pageSize=100`)
  const body = (await response.json()) as { orders: { id: string }[] }
  expect(response.status, JSON.stringify(body)).toBe(200)
  return body.orders.map(({ id }) => id)
}

async function deliver(from: number, to: number, orderId: Hex) {
  const packets = await readPackets(stack.world, { chainId: from, station }, { block: 0n })
  const packet = packets.find((entry) => entry.orderId === orderId)
  if (!packet) throw new Error('no packet was sent')
  expect(await deliverPacket(stack.world, packet)).toBe('delivered')
  const [log] = await worldClient(stack.world, to).getContractEvents({
    address: station,
    abi: transitStationAbi,
    eventName: 'OrderReceived',
    args: { uuid: orderId },
    fromBlock: 0n,
    strict: true,
  })
  if (!log) throw new Error('no order was received')
  const { queuedAt, amountDue } = log.args.order
  return { queuedAt, amountDue, transactionHash: log.transactionHash }
}

async function fill(chainId: number, want: keyof typeof tokens, orderId: Hex, amount: bigint) {
  const client = worldClient(stack.world, chainId)
  const receipt = await fillOrders(client, station, [{ orderId, wantAsset: tokens[want], amount }])
  const [log] = parseEventLogs({
    abi: transitStationAbi,
    eventName: 'OrderExecuted',
    logs: receipt.logs,
  })
  if (!log) throw new Error('nothing was executed')
  const timestamp = await blockTime(chainId, receipt)
  return {
    timestamp,
    record: {
      id: `${chainId}-${log.transactionHash}-${log.logIndex}`,
      amount: String(amount),
      remaining: String(log.args.remaining),
      timestamp: Number(timestamp),
      txHash: log.transactionHash,
      chainId,
    },
  }
}

function balance(chainId: number, want: keyof typeof tokens): Promise<bigint> {
  return worldClient(stack.world, chainId).readContract({
    address: tokens[want],
    abi: erc20,
    functionName: 'balanceOf',
    args: [receiver?.address ?? DEVNET_ACTORS.integrator.address],
  })
}

async function blockTime(chainId: number, receipt: TransactionReceipt): Promise<bigint> {
  const block = await worldClient(stack.world, chainId).getBlock({ blockHash: receipt.blockHash })
  return block.timestamp
}

function scale(amount: bigint, from: number, to: number): bigint {
  return from <= to ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to)
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function iso(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString()
}
