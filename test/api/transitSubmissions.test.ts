import { encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldClient } from '../../devnet/world.ts'
import type { TransitQuote } from '../../domain/transit/terms/quoteTypedData.ts'
import { readSentTransaction } from '../../domain/transit/transactions/readSentTransaction.ts'
import { tokenAbi } from '../devnet/localAbis.ts'
import { CROSS_ROUTE, makeQuote, messageFee, signQuote, submitCall } from '../devnet/orders.ts'
import {
  type Call,
  send,
  startStationWorld,
  station,
  tokens,
  user,
} from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { askBothDoors, type Field } from '../support/bothDoors.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'

/** Transactions as a node shows them, from the wallet's sending to their reverts. */

const UNKNOWN = `0x${'5e'.repeat(32)}` as const
const FIELD: Field = {
  path: '/v1/transit/submissions',
  field: 'transitSubmission',
  selection: `{ chainId txHash status blockNumber confirmations orderIds
    revert { reason name arguments } }`,
  types: { chainId: 'Int!', txHash: 'Hash!' },
  member: 'submission',
}
const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[])',
])

type Submission = {
  status: string
  blockNumber: number | null
  confirmations: number
  orderIds: Hex[]
  revert: { reason: string; name: string | null; arguments: unknown[] } | null
}

const clock = handClock()
let world: Awaited<ReturnType<typeof startStationWorld>>
let api: TestApi
beforeAll(async () => {
  world = await startStationWorld()
  api = await startTestApi({ world, clock })
  await send(world, 1, approval(1_000_000_000n))
})
afterAll(async () => {
  await api?.stop()
  await world?.stop()
})

describe('a transaction that submits orders', () => {
  test('default: over both doors, with its order id and depth', async () => {
    const { uuid, call } = await orderCall()
    const { transactionHash: txHash, blockNumber } = await send(world, 1, call)
    await client().mine({ blocks: 2 })
    clock.advance(1_000)
    const { rest, graphql } = await askBothDoors(api.url, FIELD, { chainId: 1, txHash })
    expect(rest).toEqual({
      status: 200,
      body: {
        chainId: 1,
        txHash,
        status: 'INCLUDED',
        blockNumber: Number(blockNumber),
        confirmations: 3,
        orderIds: [uuid],
      },
    })
    expect(graphql).toEqual(rest)
  })

  test('behavior: an order for another chain', async () => {
    const { uuid, call } = await orderCall({ route: CROSS_ROUTE })
    const { transactionHash } = await send(world, 1, call)
    expect(await read(transactionHash)).toMatchObject({ status: 'INCLUDED', orderIds: [uuid] })
  })

  test('behavior: several orders of a contract wallet in one transaction, in the order of its logs', async () => {
    const wallet = world.addressBook.chains.find(({ id }) => id === 1)?.multicall3 ?? zeroAddress
    const transfer = { functionName: 'transfer', args: [wallet, 200_000_000n] } as const
    await send(world, 1, {
      address: tokens.USDC,
      account: user(),
      data: encodeFunctionData({ abi: erc20, ...transfer }),
    })
    const [first, second] = [await orderCall(), await orderCall()]
    const calls = [approval(200_000_000n), first.call, second.call]
    const { transactionHash } = await send(world, 1, {
      address: wallet,
      account: user(2),
      data: encodeFunctionData({
        abi: multicallAbi,
        functionName: 'aggregate3',
        args: [
          calls.map(({ address, data }) => ({
            target: address,
            allowFailure: false,
            callData: data,
          })),
        ],
      }),
    })
    const { orderIds } = await read(transactionHash)
    expect(orderIds).toEqual([first.uuid, second.uuid])
  })

  test('behavior: logs of another contract than the station are no orders', async () => {
    const { call } = await orderCall()
    const { transactionHash: txHash } = await send(world, 1, call)
    const known = await api.context.chains.read(1, (node) =>
      readSentTransaction(node, { txHash, station: tokens.USDC }),
    )
    expect(known).toMatchObject({ status: 'INCLUDED', orderIds: [] })
  })

  test('behavior: a transaction without an order', async () => {
    const { transactionHash } = await send(world, 1, approval(1_000_000_000n))
    expect(await read(transactionHash)).toMatchObject({ status: 'INCLUDED', orderIds: [] })
  })

  test('behavior: pending until a block has it', async () => {
    const { uuid, call } = await orderCall()
    await automine(false)
    const hash = await sendUnchecked(call)
    const pending = { status: 'PENDING', blockNumber: null, confirmations: 0, orderIds: [] }
    expect(await read(hash)).toEqual({ chainId: 1, txHash: hash, revert: null, ...pending })
    await client().mine({ blocks: 1 })
    await automine(true)
    expect(await read(hash)).toMatchObject({ status: 'INCLUDED', orderIds: [uuid] })
  })

  test('behavior: within a second the same answer', async () => {
    const { call } = await orderCall()
    const { transactionHash } = await send(world, 1, call)
    const { confirmations } = await read(transactionHash)
    await client().mine({ blocks: 1 })
    expect((await readNow(transactionHash)).confirmations).toBe(confirmations)
    expect((await read(transactionHash)).confirmations).toBe(confirmations + 1)
  })

  test('behavior: a hash that no node knows', async () => {
    const unknown = { status: 'UNKNOWN', blockNumber: null, confirmations: 0, orderIds: [] }
    expect(await read(UNKNOWN)).toEqual({ chainId: 1, txHash: UNKNOWN, revert: null, ...unknown })
  })
})

describe('a transaction that reverted', () => {
  test('behavior: an error with arguments', async () => {
    const { revert } = await reverted(await orderCall({ deadline: 1_700_000_000n }))
    expect(revert).toEqual({
      reason: 'QuoteExpired(1700000000)',
      name: 'QuoteExpired',
      arguments: ['1700000000'],
    })
  })

  test('behavior: a struct is an object by the names of its members', async () => {
    const route = { destEID: 7, offerAsset: tokens.USDC, wantAsset: tokens.USDG }
    const { revert } = await reverted(await orderCall({ route }))
    expect(revert).toMatchObject({
      name: 'RouteNotApproved',
      arguments: [{ ...route, destEID: '7' }],
    })
  })

  test('behavior: an order that was submitted before', async () => {
    const { uuid, call } = await orderCall()
    await send(world, 1, call)
    const { revert } = await reverted({ call })
    expect(revert).toMatchObject({ name: 'SignatureAlreadyUsed', arguments: [uuid] })
  })

  test('behavior: a text', async () => {
    const { call } = await orderCall()
    const { revert } = await reverted({ call: { ...call, account: user(7) } })
    const reason = 'TRANSFER_FROM_FAILED'
    expect(revert).toEqual({ reason, name: 'Error', arguments: [reason] })
  })

  test('behavior: the cause of the state before, where its own block removed it', async () => {
    const { call } = await orderCall()
    await send(world, 1, approval(0n))
    await automine(false)
    const hash = await sendUnchecked(call)
    await sendUnchecked(approval(1_000_000_000n))
    await client().mine({ blocks: 1 })
    await automine(true)
    expect(await read(hash)).toMatchObject({
      status: 'REVERTED',
      revert: { reason: 'TRANSFER_FROM_FAILED' },
    })
  })

  test('behavior: out of gas', async () => {
    const { call } = await orderCall()
    const { revert, orderIds, blockNumber } = await reverted({ call }, 60_000n)
    expect(revert).toEqual({ reason: 'out of gas', name: null, arguments: [] })
    expect([orderIds, blockNumber]).toEqual([[], expect.any(Number)])
  })
})

test('error: a chain that the service does not have', async () => {
  const { status, reason } = await ask({ chainId: '5', txHash: UNKNOWN })
  expect([status, reason]).toEqual([404, 'CHAIN_NOT_FOUND'])
})

test('error: both parameters are named', async () => {
  const { status, body } = await ask({ chainId: 'x', txHash: '0x12' })
  expect(status).toBe(400)
  const [{ fieldViolations = [] } = {}] = body.error.details
  expect(fieldViolations.map(({ field }) => field)).toEqual(['chainId', 'txHash'])
})

const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

const client = () => worldClient(world, 1)

function approval(amount: bigint): Call {
  const approve = { functionName: 'approve', args: [station, amount] } as const
  return {
    address: tokens.USDC,
    account: user(),
    data: encodeFunctionData({ abi: tokenAbi, ...approve }),
  }
}

async function orderCall(overrides: Partial<TransitQuote> = {}) {
  const quote = await makeQuote(world, 1, overrides)
  const { uuid, signature } = await signQuote(1, quote)
  const isKnown = [30_101, 30_416].includes(quote.route.destEID)
  const value = isKnown ? await messageFee(world, 1, quote) : 0n
  return { uuid, call: submitCall(quote, signature, value) }
}

/** Sends without asking the node first whether it would revert. */
function sendUnchecked({ address, data, account, value = 0n }: Call, gas = 900_000n): Promise<Hex> {
  return client().sendTransaction({ account, to: address, data, value, gas })
}

async function reverted({ call }: { call: Call }, gas?: bigint): Promise<Submission> {
  const hash = await sendUnchecked(call, gas)
  await client().waitForTransactionReceipt({ hash })
  const found = await read(hash)
  expect(found.status).toBe('REVERTED')
  return found
}

async function automine(isOn: boolean) {
  await client().setAutomine(isOn)
}

/** After the second of the last answers and of the look-ups that a client has. */
async function read(txHash: Hex): Promise<Submission> {
  clock.advance(1_000)
  return readNow(txHash)
}

async function readNow(txHash: Hex): Promise<Submission> {
  const { url, status, body } = await ask({ chainId: '1', txHash })
  expect(undescribed(url, status, body)).toEqual([])
  expect(status).toBe(200)
  return body.submission
}

function ask(query: Record<string, string>) {
  return getJson<{ submission: Submission }>(
    `${api.url}${FIELD.path}?${new URLSearchParams(query)}`,
  )
}
