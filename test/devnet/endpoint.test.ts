import { encodeFunctionData, type Hex, keccak256, pad, parseEventLogs, slice, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { layerZeroEndpointAbi } from '../../abis/layerZeroEndpoint.ts'
import { worldClient } from '../../devnet/world.ts'
import { endpointAbi, stationAbi } from './localAbis.ts'
import { CROSS_ROUTE, makeQuote, messageFee, signQuote, submitCall } from './orders.ts'
import { revertOf } from './revertOf.ts'
import {
  approve,
  deliverCall,
  deployer,
  endpoint,
  readPacket,
  send,
  setPeer,
  startStationWorld,
  station,
  user,
  verifyCall,
} from './stationWorld.ts'

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('sending', () => {
  test('behavior: what exceeds the fee comes back in the same transaction', async () => {
    const { call, fee } = await crossOrder()
    const before = await worldClient(world, 1).getBalance({ address: user().address })
    const receipt = await send(world, 1, { ...call, value: fee + 5n })
    const after = await worldClient(world, 1).getBalance({ address: user().address })
    expect(before - after).toBe(fee + receipt.gasUsed * receipt.effectiveGasPrice)
  })

  test('default: a packet of version 1 under the next nonce', async () => {
    const before = await outboundNonce()
    const packet = await sendOrder()
    expect(readPacket(packet).origin).toEqual({
      srcEid: 30_101,
      sender: pad(station.toLowerCase() as Hex),
      nonce: before + 1n,
    })
    expect(slice(packet, 0, 1)).toBe('0x01')
    expect(await outboundNonce()).toBe(before + 1n)
  })
})

describe('delivering', () => {
  test('behavior: packets arrive in any order, each once', async () => {
    const packets = [await sendOrder(), await sendOrder()].reverse()
    for (const packet of packets) {
      await verify(packet)
      await send(world, 4663, deliverCall(packet))
      expect(await inboundPayloadHash(packet)).toBe(zeroHash)
    }
    await expect(send(world, 4663, deliverCall(packets[0] ?? '0x'))).rejects.toThrow()
  })

  test('behavior: a delivery that reverts can be made again', async () => {
    const packet = await sendOrder()
    await verify(packet)
    await setPeer(world, zeroHash)
    await expect(send(world, 4663, deliverCall(packet))).rejects.toThrow()
    expect(await inboundPayloadHash(packet)).toBe(keccak256(slice(packet, 81)))
    await setPeer(world, pad(station))
    const receipt = await send(world, 4663, deliverCall(packet))
    expect(receipt.status).toBe('success')
  })

  test('error: an order whose id was marked as used never arrives', async () => {
    const packet = await sendOrder()
    const uuid = slice(readPacket(packet).message, 0, 32)
    const data = encodeFunctionData({
      abi: stationAbi,
      functionName: 'forceSetUsedDigestTrue',
      args: [uuid],
    })
    await send(world, 4663, { address: station, account: deployer, data })
    await verify(packet)
    expect(await revertOf(world, 4663, deliverCall(packet))).toEqual(['SignatureAlreadyUsed', uuid])
  })

  test('error: an unverified message, and a changed one', async () => {
    const packet = await sendOrder()
    await expect(send(world, 4663, deliverCall(packet))).rejects.toThrow()
    await verify(packet)
    const changed = `${packet.slice(0, -1)}${packet.endsWith('f') ? '0' : 'f'}` as Hex
    await expect(send(world, 4663, deliverCall(changed))).rejects.toThrow()
  })

  test('error: only the relayer verifies', async () => {
    const packet = await sendOrder()
    const call = { ...verifyCall(packet, keccak256(slice(packet, 81))), account: user() }
    await expect(send(world, 4663, call)).rejects.toThrow()
  })
})

async function crossOrder() {
  const quote = await makeQuote(world, 1, { route: CROSS_ROUTE })
  await approve(world, 1, quote.route.offerAsset, quote.offerAmount)
  const { signature } = await signQuote(1, quote)
  const fee = await messageFee(world, 1, quote)
  return { call: submitCall(quote, signature, fee), fee }
}

async function sendOrder(): Promise<Hex> {
  const { logs } = await send(world, 1, (await crossOrder()).call)
  const [log] = parseEventLogs({ abi: endpointAbi, logs, eventName: 'PacketSent' })
  return log?.args.encodedPayload ?? '0x'
}

function verify(packet: Hex) {
  return send(world, 4663, verifyCall(packet, keccak256(slice(packet, 81))))
}

function inboundPayloadHash(packet: Hex): Promise<Hex> {
  const { origin } = readPacket(packet)
  return worldClient(world, 4663).readContract({
    address: endpoint,
    abi: layerZeroEndpointAbi,
    functionName: 'inboundPayloadHash',
    args: [station, origin.srcEid, origin.sender, origin.nonce],
  })
}

function outboundNonce(): Promise<bigint> {
  return worldClient(world, 1).readContract({
    address: endpoint,
    abi: layerZeroEndpointAbi,
    functionName: 'outboundNonce',
    args: [station, 30_416, pad(station)],
  })
}
