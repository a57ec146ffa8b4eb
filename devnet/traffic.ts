import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError, formatUnits, type LocalAccount } from 'viem'
import { type OrderRequest, placeOrder } from './placeOrder.ts'
import { randomOrder } from './randomOrder.ts'
import type { World } from './world.ts'

export type TrafficOptions = {
  world: World
  users: LocalAccount[]
  perMinute: number
  /** One line per order, placed or not. */
  print: (line: string) => void
  signal: AbortSignal
}

/**
 * Places random orders at a rate until the signal, which waits for none of them. A user has one order
 * under way at a time (its nonces would cross), which bounds the rate by their number.
 */
export async function runTraffic(options: TrafficOptions): Promise<void> {
  const { users, perMinute, signal } = options
  const idle = [...users]
  while (!signal.aborted) {
    const user = idle.shift()
    if (user) void placeRandom(options, user).finally(() => idle.push(user))
    await sleep(60_000 / perMinute, undefined, { signal }).catch(() => {})
  }
}

async function placeRandom({ world, print }: TrafficOptions, user: LocalAccount) {
  const request = randomOrder(world.addressBook, user)
  const words = describeOrder(world, request)
  await placeOrder(world, request).then(
    ({ orderId }) => print(`${orderId}  ${words}`),
    (error) => print(`failed  ${words}: ${reasonOf(error)}`),
  )
}

function describeOrder({ addressBook }: World, request: OrderRequest): string {
  const { sourceChainId, destinationChainId, offerAmount } = request
  const tokenOf = (chainId: number, address: string) =>
    addressBook.tokens.find((token) => token.chainId === chainId && token.address === address)
  const offered = tokenOf(sourceChainId, request.offerAsset)
  const wanted = tokenOf(destinationChainId, request.wantAsset)
  const amount = formatUnits(offerAmount, offered?.decimals ?? 0)
  return `${sourceChainId} → ${destinationChainId}  ${amount} ${offered?.symbol} for ${wanted?.symbol}`
}

function reasonOf(error: unknown): string {
  return error instanceof BaseError ? error.shortMessage : String(error)
}
