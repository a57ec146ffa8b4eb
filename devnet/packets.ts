import {
  type Address,
  concat,
  decodeAbiParameters,
  type Hex,
  hexToBigInt,
  hexToNumber,
  keccak256,
  type Log,
  parseAbi,
  parseEventLogs,
  slice,
} from 'viem'
import { layerZeroEndpointAbi } from '../abis/layerZeroEndpoint.ts'
import { transitStationAbi } from '../abis/transitStation.ts'
import { DEVNET_ACTORS } from './accounts.ts'
import { type DevnetClient, type World, worldClient, worldStations } from './world.ts'

/** A message between stations, decoded from its PacketSent event. */
export type Packet = {
  nonce: bigint
  srcEid: number
  sender: Hex
  dstEid: number
  guid: Hex
  message: Hex
  orderId: Hex
}

export type Delivery = 'delivered' | 'known' | 'failed'

/** The relayer's calls of the local endpoint. The service itself never makes them. */
const relayAbi = parseAbi([
  'struct Origin { uint32 srcEid; bytes32 sender; uint64 nonce; }',
  'function verify(Origin origin, address receiver, bytes32 payloadHash)',
  'function lzReceive(Origin origin, address receiver, bytes32 guid, bytes message, bytes extraData) payable',
  'function lzReceiveAlert(Origin origin, address receiver, bytes32 guid, uint256 gasLimit, uint256 value, bytes message, bytes extraData, bytes reason)',
])
const GAS = 1_000_000n

/** The packets sent on a chain since `next.block`, which moves past the head, or past the block that is `depth` blocks below it. */
export async function readPackets(
  world: World,
  source: { chainId: number; station: Address },
  next: { block: bigint },
  depth = 0n,
): Promise<Packet[]> {
  const client = worldClient(world, source.chainId)
  const head = (await client.getBlockNumber()) - depth
  // A node that lost its last blocks emits their packets again.
  if (head < next.block) next.block = head > 20n ? head - 20n : 0n
  const endpoint = await endpointOf(client, source.station)
  const logs = await client.getContractEvents({
    address: endpoint,
    abi: layerZeroEndpointAbi,
    eventName: 'PacketSent',
    fromBlock: next.block,
    toBlock: head,
    strict: true,
  })
  next.block = head + 1n
  return logs.map(({ args }) => decodePacket(args.encodedPayload))
}

/** The packets among the logs of a transaction. */
export function packetsIn(logs: Log[]): Packet[] {
  const sent = parseEventLogs({ abi: layerZeroEndpointAbi, eventName: 'PacketSent', logs })
  return sent.map(({ args }) => decodePacket(args.encodedPayload))
}

/** Packet v1: version 1, nonce 8, srcEid 4, sender 32, dstEid 4, receiver 32, guid 32, message. */
function decodePacket(payload: Hex): Packet {
  const message = slice(payload, 113)
  const [orderId] = decodeAbiParameters([{ type: 'bytes32' }], message)
  return {
    nonce: hexToBigInt(slice(payload, 1, 9)),
    srcEid: hexToNumber(slice(payload, 9, 13)),
    sender: slice(payload, 13, 45),
    dstEid: hexToNumber(slice(payload, 45, 49)),
    guid: slice(payload, 81, 113),
    message,
    orderId,
  }
}

/** Verifies and delivers one packet, as LayerZero's verifiers and executor do; `known` if it arrived before. */
export async function deliverPacket(world: World, packet: Packet): Promise<Delivery> {
  const { outcome } = await sendDelivery(world, packet)
  return outcome
}

/**
 * Like `deliverPacket`, but resolves once the transactions are sent, so that many deliveries fit into
 * one block. They take the relayer's nonces: send one after the other.
 */
export async function sendDelivery(
  world: World,
  packet: Packet,
): Promise<{ outcome: Delivery | Promise<Delivery> }> {
  const target = await findTarget(world, packet)
  if (!target) return { outcome: 'failed' }
  const { client, endpoint, station } = target
  const isKnown = await client.readContract({
    address: station,
    abi: transitStationAbi,
    functionName: 'usedDigests',
    args: [packet.orderId],
  })
  if (isKnown) return { outcome: 'known' }

  const payloadHash = keccak256(concat([packet.guid, packet.message]))
  const verified = await client.readContract({
    address: endpoint,
    abi: layerZeroEndpointAbi,
    functionName: 'inboundPayloadHash',
    args: [station, packet.srcEid, packet.sender, packet.nonce],
  })
  const write = {
    account: DEVNET_ACTORS.relayer,
    address: endpoint,
    abi: relayAbi,
    gas: GAS,
  } as const
  if (verified !== payloadHash)
    await client.writeContract({
      ...write,
      functionName: 'verify',
      args: [originOf(packet), station, payloadHash],
    })
  const hash = await client.writeContract({
    ...write,
    functionName: 'lzReceive',
    args: [originOf(packet), station, packet.guid, packet.message, '0x'],
  })
  const receipt = client.waitForTransactionReceipt({ hash })
  const outcome = receipt.then(
    ({ status }): Delivery => (status === 'success' ? 'delivered' : 'failed'),
  )
  return { outcome }
}

/** Records on the destination that a delivery failed, as an executor does: LzReceiveAlert. */
export async function alertDelivery(world: World, packet: Packet): Promise<void> {
  const target = await findTarget(world, packet)
  if (!target) return
  const { client, endpoint, station } = target
  const hash = await client.writeContract({
    account: DEVNET_ACTORS.relayer,
    address: endpoint,
    abi: relayAbi,
    functionName: 'lzReceiveAlert',
    args: [originOf(packet), station, packet.guid, GAS, 0n, packet.message, '0x', '0x'],
  })
  await client.waitForTransactionReceipt({ hash })
}

function originOf({ srcEid, sender, nonce }: Packet) {
  return { srcEid, sender, nonce }
}

async function findTarget(world: World, packet: Packet) {
  const target = worldStations(world).find(({ eid }) => eid === packet.dstEid)
  if (!target) return null
  const client = worldClient(world, target.chainId)
  return { client, station: target.station, endpoint: await endpointOf(client, target.station) }
}

function endpointOf(client: DevnetClient, station: Address): Promise<Address> {
  return client.readContract({
    address: station,
    abi: transitStationAbi,
    functionName: 'endpoint',
  })
}
