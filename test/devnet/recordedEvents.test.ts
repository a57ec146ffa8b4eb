import {
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEventLogs,
  slice,
  type TransactionReceipt,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TransitQuote } from '../../domain/transit/terms/quoteTypedData.ts'
import { contractLogs, type RecordedOrder } from '../fixtures/contractLogs.ts'
import { endpointAbi, stationAbi } from './localAbis.ts'
import {
  makeQuote,
  messageFee,
  signPermit,
  signQuote,
  submitCall,
  submitWithPermitCall,
} from './orders.ts'
import {
  approve,
  deliverCall,
  deployer,
  endpoint,
  fillCall,
  readPacket,
  send,
  startStationWorld,
  station,
  tokens,
  verifyCall,
} from './stationWorld.ts'

/** The recorded tokens, each with the local token that behaves like it. */
const TOKENS: Record<string, keyof typeof tokens> = {
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': 'USDC',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7': 'USDT',
  '0xe343167631d89B6Ffc58B88d6b7fB0228795491D': 'USDG',
  '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168': 'USDG',
  '0x1111111111111111111111111111111111111118': 'USDS',
}

type Amounts = { amount?: unknown; remaining?: unknown; order?: { amountDue: unknown } }
type Step = { chainId: number; events: string[] }

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('the local contracts, beside what the deployed ones did', () => {
  test.each(contractLogs.transitOrders)(
    'default: $status $sourceChainId → $destinationChainId, $functionName',
    async (order) => {
      const recorded = recordedSteps(order)
      expect(recorded.length).toBeGreaterThan(0)
      expect(await replay(order, recorded)).toEqual(recorded)
    },
  )

  test('behavior: the endpoint speaks before the station when it sends, and after it when it delivers', async () => {
    const route = { destEID: 30_416, offerAsset: tokens.USDC, wantAsset: tokens.USDG }
    const quote = await makeQuote(world, 1, { route })
    const sent = await submit(1, quote)
    const packet = packetOf(sent)
    const verified = await send(world, 4663, verifyCall(packet, payloadHashOf(packet)))
    const delivered = await send(world, 4663, deliverCall(packet))
    expect(eventNames(sent)).toEqual(['PacketSent', 'OrderBridged', 'OrderSubmitted'])
    expect(eventNames(verified)).toEqual(['PacketVerified'])
    expect(eventNames(delivered)).toEqual([
      'OrderReceived',
      'OrderBridgeReceived',
      'PacketDelivered',
    ])
  })

  test('behavior: a pause and its end have events, and a delivery passes in between', async () => {
    const route = { destEID: 30_101, offerAsset: tokens.USDG, wantAsset: tokens.USDC }
    const packet = packetOf(await submit(4663, await makeQuote(world, 4663, { route })))
    const paused = await admin(1, 'pause')
    await send(world, 1, verifyCall(packet, payloadHashOf(packet)))
    const delivered = await send(world, 1, deliverCall(packet))
    const unpaused = await admin(1, 'unpause')
    expect([paused, delivered, unpaused].map(stationEventNames)).toEqual([
      ['Paused'],
      ['OrderReceived', 'OrderBridgeReceived'],
      ['Unpaused'],
    ])
  })
})

/** The recorded events of one order, by transaction, with their amounts. */
function recordedSteps(order: RecordedOrder): Step[] {
  const logs = contractLogs.logs.filter(({ topics }) => topics[1] === order.orderId)
  const byTransaction = Map.groupBy(logs, ({ transactionHash }) => transactionHash)
  const steps = [...byTransaction.values()].flatMap((all) => {
    const events = all.flatMap(({ event, args }) =>
      event ? [describeEvent(event, args ?? {})] : [],
    )
    return all[0] ? [{ chainId: all[0].chainId, events }] : []
  })
  const isSubmission = ({ events }: Step) => events.includes('OrderSubmitted')
  return steps.sort((a, b) => Number(isSubmission(b)) - Number(isSubmission(a)))
}

function describeEvent(event: string, args: Amounts): string {
  const amounts = [args.amount, args.remaining, args.order?.amountDue].filter(
    (value) => value !== undefined,
  )
  return [event, ...amounts].join(' ')
}

/** Repeats the recorded steps on the local chains. */
async function replay(order: RecordedOrder, recorded: Step[]): Promise<Step[]> {
  const { sourceChainId, destinationChainId } = order
  const quote = await localQuote(order)
  const { uuid } = await signQuote(sourceChainId, quote)
  const sent = await submit(sourceChainId, quote, order.functionName)
  const steps: Step[] = [{ chainId: sourceChainId, events: stationEvents(sent) }]
  for (const { chainId, events } of recorded.slice(1)) {
    const [name, amount] = events[0]?.split(' ') ?? []
    const run: Record<string, () => Promise<TransactionReceipt>> = {
      OrderReceived: async () => {
        const packet = packetOf(sent)
        await send(world, destinationChainId, verifyCall(packet, payloadHashOf(packet)))
        return send(world, destinationChainId, deliverCall(packet))
      },
      OrderExecuted: () =>
        send(
          world,
          chainId,
          fillCall({ wantAsset: quote.route.wantAsset, uuid, amount: BigInt(amount ?? 0) }),
        ),
      OrderForceRemoved: () => admin(chainId, 'forceRemovePendingOrder', uuid),
      UUIDForceSetUsed: () => admin(chainId, 'forceSetUsedDigestTrue', uuid),
    }
    const receipt = await run[name ?? '']?.()
    steps.push({ chainId, events: receipt ? stationEvents(receipt) : [] })
  }
  return steps
}

async function localQuote({ quote, sourceChainId }: RecordedOrder): Promise<TransitQuote> {
  const local = (asset: Hex) => tokens[TOKENS[asset] ?? 'USDP']
  const { destEID, offerAsset, wantAsset } = quote.route
  const route = { destEID, offerAsset: local(offerAsset), wantAsset: local(wantAsset) }
  const data = encodeFunctionData({
    abi: stationAbi,
    functionName: 'setRouteApprovals',
    args: [[route], [true]],
  })
  await send(world, sourceChainId, { address: station, account: deployer, data })
  return makeQuote(world, sourceChainId, {
    ...quote,
    route,
    offerAmount: BigInt(quote.offerAmount),
    protocolFee: BigInt(quote.protocolFee),
    integratorFee: BigInt(quote.integratorFee),
    deadline: (await makeQuote(world, sourceChainId)).deadline,
  })
}

async function submit(chainId: number, quote: TransitQuote, functionName = 'submitOrder') {
  const { signature } = await signQuote(chainId, quote)
  const value = await messageFee(world, chainId, quote)
  const { offerAsset: token } = quote.route
  if (functionName === 'submitOrderWithPermit') {
    const permit = await signPermit(world, chainId, { token, amount: quote.offerAmount })
    return send(world, chainId, submitWithPermitCall(quote, signature, { permit, value }))
  }
  await approve(world, chainId, token, quote.offerAmount)
  return send(world, chainId, submitCall(quote, signature, value))
}

function admin(
  chainId: number,
  functionName: 'pause' | 'unpause' | 'forceRemovePendingOrder' | 'forceSetUsedDigestTrue',
  uuid?: Hex,
) {
  const data =
    functionName === 'pause' || functionName === 'unpause'
      ? encodeFunctionData({ abi: stationAbi, functionName })
      : encodeFunctionData({ abi: stationAbi, functionName, args: [uuid ?? '0x'] })
  return send(world, chainId, { address: station, account: deployer, data })
}

function decodedEvents({ logs }: TransactionReceipt) {
  const ours = logs.filter(({ address }) =>
    [station, endpoint].some((one) => one.toLowerCase() === address),
  )
  return parseEventLogs({ abi: [...stationAbi, ...endpointAbi], logs: ours })
}

function eventNames(receipt: TransactionReceipt): string[] {
  return decodedEvents(receipt).map(({ eventName }) => eventName)
}

function stationEventNames(receipt: TransactionReceipt): string[] {
  return eventNames(receipt).filter((name) => !name.startsWith('Packet'))
}

function stationEvents(receipt: TransactionReceipt): string[] {
  return decodedEvents(receipt)
    .filter(({ eventName }) => !eventName.startsWith('Packet'))
    .map(({ eventName, args }) => describeEvent(eventName, args as Amounts))
}

function packetOf(receipt: TransactionReceipt): Hex {
  const [log] = parseEventLogs({ abi: endpointAbi, logs: receipt.logs, eventName: 'PacketSent' })
  if (!log) throw new Error('no packet was sent')
  return log.args.encodedPayload
}

/** Hashes guid and message, which follow the 81 bytes of the header. */
function payloadHashOf(packet: Hex): Hex {
  expect(readPacket(packet).guid).toBe(slice(packet, 81, 113))
  return keccak256(slice(packet, 81))
}
