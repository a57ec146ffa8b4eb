import { type Account, type Address, encodeFunctionData, type Hex, slice, zeroAddress } from 'viem'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { startTestWorld } from '../support/anvils.ts'
import { endpointAbi, stationAbi, tokenAbi, vaultAbi } from './localAbis.ts'

export const EIDS: Record<number, number> = { 1: 30_101, 4663: 30_416 }
export const { station, endpoint, vault, tokens, authority } = DEPLOYMENT
export const { deployer, quoteSigner, executor, relayer } = DEVNET_ACTORS

/** One of anvil's default accounts. */
export function user(index = 0) {
  return userAt(index)
}

/** Chains 1 and 4663 with everything deployed. */
export async function startStationWorld(): Promise<World & { stop(): Promise<void> }> {
  const { world, stop } = await startTestWorld()
  return { ...world, stop }
}

export type Call = { address: Address; data: Hex; account: Account; value?: bigint }

/** Sends from a local account and waits until it is mined; a revert throws viem's error with its data. */
export async function send(world: World, chainId: number, call: Call) {
  const client = worldClient(world, chainId)
  const { address, data, account, value = 0n } = call
  await client.call({ account, to: address, data, value })
  const hash = await client.sendTransaction({ account, to: address, data, value })
  return client.waitForTransactionReceipt({ hash })
}

export function approve(world: World, chainId: number, token: Address, amount: bigint) {
  const data = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'approve',
    args: [station, amount],
  })
  return send(world, chainId, { address: token, data, account: user() })
}

/** The peer that the station of chain 4663 has for chain 1. */
export function setPeer(world: World, peer: Hex) {
  const data = encodeFunctionData({
    abi: stationAbi,
    functionName: 'setPeer',
    args: [30_101, peer],
  })
  return send(world, 4663, { address: station, account: deployer, data })
}

export type Fill = { wantAsset: Address; uuid: Hex; amount: bigint }

/** Executes through the vault, as its manager: approves exactly the amount, or `allowed`. */
export function fillCall({ wantAsset, uuid, amount }: Fill, allowed = amount): Call {
  const data = [
    encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [station, allowed] }),
    encodeFunctionData({
      abi: stationAbi,
      functionName: 'executePendingOrders',
      args: [[{ wantAsset, uuids: [uuid], amounts: [amount] }]],
    }),
  ]
  return {
    address: vault,
    account: executor,
    data: encodeFunctionData({
      abi: vaultAbi,
      functionName: 'manage',
      args: [[wantAsset, station], data, [0n, 0n]],
    }),
  }
}

/** Reads a packet of version 1: version, nonce, srcEid, sender, dstEid, receiver, guid, message. */
export function readPacket(packet: Hex) {
  const origin = {
    nonce: BigInt(slice(packet, 1, 9)),
    srcEid: Number(slice(packet, 9, 13)),
    sender: slice(packet, 13, 45),
  }
  const receiver = slice(packet, 61, 81)
  return { origin, receiver, guid: slice(packet, 81, 113), message: slice(packet, 113) }
}

export function verifyCall(packet: Hex, payloadHash: Hex): Call {
  const { origin, receiver } = readPacket(packet)
  const args = [origin, receiver, payloadHash] as const
  const data = encodeFunctionData({ abi: endpointAbi, functionName: 'verify', args })
  return { address: endpoint, data, account: relayer }
}

export function deliverCall(packet: Hex): Call {
  const { origin, receiver, guid, message } = readPacket(packet)
  const args = [origin, receiver, guid, message, '0x'] as const
  const data = encodeFunctionData({ abi: endpointAbi, functionName: 'lzReceive', args })
  return { address: endpoint, data, account: relayer }
}

export const NO_TERMS = {
  uuid: `0x${'00'.repeat(32)}`,
  wantAsset: zeroAddress,
  receiver: zeroAddress,
  offerAsset: zeroAddress,
  offerAmountNormalized18AfterFees: 0n,
} as const
