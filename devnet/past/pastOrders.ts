import type { PlacedOrder } from '../placeOrder.ts'
import { deliver, finish, ORDER_SEEDS, type OrderSeed, placeSeed } from '../scenario.ts'
import { tombstoneOrder } from '../stationOwner.ts'
import type { World } from '../world.ts'
import { DAY, HOUR, MINUTE, type Moment } from './timeline.ts'

/** In both directions and on one chain. Each round has half of them. */
const ORDERS: OrderSeed[] = [
  { from: 1, to: 4663, offer: 'USDC', want: 'USDG', units: 800, ending: 'executed' },
  { from: 4663, to: 1, offer: 'USDG', want: 'USDC', units: 350, ending: 'executed' },
  { from: 1, to: 4663, offer: 'USDT', want: 'USDG', units: 1_200, ending: 'executedInParts' },
  { from: 4663, to: 1, offer: 'USDG', want: 'USDT', units: 90, ending: 'executed' },
  { from: 1, to: 1, offer: 'USDC', want: 'USDS', units: 60, ending: 'executed' },
  { from: 1, to: 4663, offer: 'USDS', want: 'USDG', units: 5_000, ending: 'executed' },
]
/** Orders that were never paid, in one round only. */
const FAILURES: OrderSeed[] = [
  { from: 4663, to: 1, offer: 'USDG', want: 'USDS', units: 45, ending: 'removed' },
  { from: 1, to: 4663, offer: 'USDC', want: 'USDG', units: 25, ending: 'tombstoned' },
]
const FAILURE_ROUND = 2

/**
 * Orders of a few hours in each round, on the given days, and in the last two hours one in every status. A
 * larger order takes longer.
 */
export function pastOrders(world: World, from: number, roundDays: number[]): Moment[] {
  if (!world.rpcUrls[1] || !world.rpcUrls[4663]) return []
  const ofRounds = roundDays.flatMap((day, round) =>
    [
      ...ORDERS.filter((_, index) => (round + index) % 2 === 0),
      ...(round === FAILURE_ROUND ? FAILURES : []),
    ].flatMap((seed, index) => {
      const units = seed.units * (1 + ((round * 5 + index) % 4))
      const at = from + day * DAY + 9 * HOUR + index * 37 * MINUTE
      return orderLife(world, { ...seed, units }, { at, index: round + index })
    }),
  )
  const now = Math.floor(Date.now() / 1_000)
  const inEveryStatus = ORDER_SEEDS.flatMap((seed, index) =>
    orderLife(world, seed, { at: now - 2 * HOUR + index * 10 * MINUTE, index }),
  )
  return [...ofRounds, ...inEveryStatus]
}

function orderLife(world: World, seed: OrderSeed, { at, index }: { at: number; index: number }) {
  const { from, to, units, ending } = seed
  const placed = Promise.withResolvers<PlacedOrder>()
  const bridgeSeconds = from === to ? 0 : 40 + ((index * 17) % 50)
  const executionSeconds = 15 + Math.round(units / 100)
  const moments: Moment[] = [
    { chainId: from, at, act: async () => placed.resolve(await placeSeed(world, seed, index)) },
  ]
  if (ending === 'tombstoned')
    moments.push({
      chainId: to,
      at: at + Math.floor(bridgeSeconds / 2),
      act: async () => tombstoneOrder(world, to, (await placed.promise).orderId),
    })
  if (ending === 'bridging') return moments
  moments.push(
    {
      chainId: to,
      at: at + bridgeSeconds,
      act: async () => deliver(world, await placed.promise),
    },
    {
      chainId: to,
      at: at + bridgeSeconds + executionSeconds,
      act: async () => finish(world, seed, (await placed.promise).orderId),
    },
  )
  return moments
}
