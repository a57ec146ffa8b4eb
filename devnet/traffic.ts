import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError, formatUnits, type LocalAccount } from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import type { TransitRoute } from '../domain/addressBook/addressBook.ts'
import { type OrderRequest, placeOrder } from './placeOrder.ts'
import { randomOrder } from './randomOrder.ts'
import { type World, worldClient, worldStations } from './world.ts'

export type TrafficOptions = {
  world: World
  users: LocalAccount[]
  perMinute: number
  /** The number of orders after which it ends; without it, it never does. */
  count?: number
  /** Stops placing orders, and ends once the orders under way are done. */
  signal?: AbortSignal
  /** Called with one line per order, placed or not. */
  print: (line: string) => void
}

export class TrafficError extends Error {
  override name = 'TrafficError'
}

const MINUTE_MS = 60_000

/**
 * Places random orders at a rate, over approved routes. A user has one order under way at a time,
 * because nonces would collide, so the number of users bounds the rate. Throws `TrafficError` if no
 * order can be placed at all.
 */
export async function runTraffic(options: TrafficOptions): Promise<void> {
  const { world, users, perMinute, count = Number.POSITIVE_INFINITY, signal } = options
  const routes = await approvedRoutes(world)
  if (routes.length === 0)
    throw new TrafficError('No route of the address book is approved on its source chain')

  const idle = [...users]
  const underWay = new Set<Promise<void>>()
  let placed = 0
  while (placed < count && !signal?.aborted) {
    const user = idle.shift()
    if (user) {
      placed++
      const order = placeRandom(options, randomOrder(routes, user)).finally(() => {
        idle.push(user)
        underWay.delete(order)
      })
      underWay.add(order)
    }
    const jitter = 0.5 + Math.random()
    if (placed < count)
      // Ends at once when it is stopped.
      await sleep((MINUTE_MS / perMinute) * jitter, undefined, { signal }).catch(() => {})
  }
  await Promise.all(underWay)
}

/** The routes of the address book that their source station has approved. */
async function approvedRoutes(world: World): Promise<TransitRoute[]> {
  const stations = new Map(worldStations(world).map((station) => [station.chainId, station]))
  const approved = world.addressBook.transitRoutes.map(async (route) => {
    const source = stations.get(route.sourceChainId)
    const destination = stations.get(route.destinationChainId)
    if (!source || !destination) return []
    const isApproved = await worldClient(world, route.sourceChainId)
      .readContract({
        address: source.station,
        abi: transitStationAbi,
        functionName: 'approvedRoutes',
        args: [destination.eid, route.offerAsset, route.wantAsset],
      })
      .catch((cause) => {
        throw new TrafficError(`Chain ${route.sourceChainId}: ${reasonOf(cause)}`, { cause })
      })
    return isApproved ? [route] : []
  })
  return (await Promise.all(approved)).flat()
}

async function placeRandom({ world, print }: TrafficOptions, request: OrderRequest) {
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
