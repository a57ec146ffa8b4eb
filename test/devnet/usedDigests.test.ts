import { encodeFunctionData, type Hex, keccak256, parseEventLogs, slice } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { worldClient } from '../../devnet/world.ts'
import type { TransitQuote } from '../../domain/transit/terms/quoteTypedData.ts'
import { endpointAbi } from './localAbis.ts'
import { CROSS_ROUTE, makeQuote, messageFee, signQuote, submitCall } from './orders.ts'
import {
  approve,
  deliverCall,
  deployer,
  fillCall,
  send,
  startStationWorld,
  station,
  verifyCall,
} from './stationWorld.ts'

const SOURCE = 1
const DESTINATION = 4663
const NEW = { isUsed: false, isPending: false }
const PENDING = { isUsed: true, isPending: true }
/** Used on the source: submitted. Used on the destination: ended in any way. */
const USED = { isUsed: true, isPending: false }

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('usedDigests and pendingOrderIdsContains', () => {
  test('default: of an order on its way across, both chains', async () => {
    const quote = await makeQuote(world, SOURCE, { route: CROSS_ROUTE })
    const { uuid } = await signQuote(SOURCE, quote)
    expect([await stateOn(SOURCE, uuid), await stateOn(DESTINATION, uuid)]).toEqual([NEW, NEW])

    const packet = await submit(quote)
    expect([await stateOn(SOURCE, uuid), await stateOn(DESTINATION, uuid)]).toEqual([USED, NEW])

    await deliver(packet)
    expect(await stateOn(DESTINATION, uuid)).toEqual(PENDING)

    const { wantAsset } = quote.route
    await send(world, DESTINATION, fillCall({ wantAsset, uuid, amount: 40_000_000n }))
    expect(await stateOn(DESTINATION, uuid)).toEqual(PENDING)
    await send(world, DESTINATION, fillCall({ wantAsset, uuid, amount: 60_000_000n }))
    expect(await stateOn(DESTINATION, uuid)).toEqual(USED)
  })

  test('behavior: an order on one chain is used and pending at once', async () => {
    const quote = await makeQuote(world, SOURCE)
    const { uuid } = await signQuote(SOURCE, quote)
    await submit(quote)
    expect(await stateOn(SOURCE, uuid)).toEqual(PENDING)
  })

  test('behavior: an order that is removed stays used', async () => {
    const quote = await makeQuote(world, SOURCE)
    const { uuid } = await signQuote(SOURCE, quote)
    await submit(quote)
    await owner(SOURCE, 'forceRemovePendingOrder', uuid)
    expect(await stateOn(SOURCE, uuid)).toEqual(USED)
  })
})

/** Submits with the needed approval and fee; returns the packet of an order for another chain. */
async function submit(quote: TransitQuote): Promise<Hex> {
  await approve(world, SOURCE, quote.route.offerAsset, quote.offerAmount)
  const { signature } = await signQuote(SOURCE, quote)
  const fee = await messageFee(world, SOURCE, quote)
  const { logs } = await send(world, SOURCE, submitCall(quote, signature, fee))
  const [sent] = parseEventLogs({ abi: endpointAbi, logs, eventName: 'PacketSent' })
  return sent?.args.encodedPayload ?? '0x'
}

async function deliver(packet: Hex) {
  await send(world, DESTINATION, verifyCall(packet, keccak256(slice(packet, 81))))
  await send(world, DESTINATION, deliverCall(packet))
}

function owner(
  chainId: number,
  functionName: 'forceRemovePendingOrder' | 'forceSetUsedDigestTrue',
  uuid: Hex,
) {
  const data = encodeFunctionData({ abi: transitStationAbi, functionName, args: [uuid] })
  return send(world, chainId, { address: station, account: deployer, data })
}

async function stateOn(chainId: number, uuid: Hex) {
  const contract = { address: station, abi: transitStationAbi, args: [uuid] } as const
  const client = worldClient(world, chainId)
  const [isUsed, isPending] = await Promise.all([
    client.readContract({ ...contract, functionName: 'usedDigests' }),
    client.readContract({ ...contract, functionName: 'pendingOrderIdsContains' }),
  ])
  return { isUsed, isPending }
}
