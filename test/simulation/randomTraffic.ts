import type { Address, Hex } from 'viem'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { ORDER_STEPS, type StepTarget } from '../support/orderSteps.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import { createVaultTraffic } from './vaultTraffic.ts'

/** Random orders over the stations of a world, with random steps of them and of its vaults. */
export type RandomTraffic = {
  /** Places an order, does the next step of one, acts on a vault, or mines empty blocks; one step at a time. */
  step(): Promise<void>
  /** The ids of all orders ever placed, including those that a reorganisation removed. */
  orderIds(): Hex[]
}

type Route = [offer: TokenSymbol, want: TokenSymbol]

const ROUTES: { from: number; to: number; pairs: [Route, ...Route[]] }[] = [
  {
    from: 1,
    to: 4663,
    pairs: [
      ['USDC', 'USDG'],
      ['USDP', 'USDG'],
    ],
  },
  {
    from: 4663,
    to: 1,
    pairs: [
      ['USDG', 'USDC'],
      ['USDG', 'USDS'],
    ],
  },
  { from: 1, to: 1, pairs: [['USDC', 'USDG']] },
  { from: 4663, to: 4663, pairs: [['USDC', 'USDG']] },
]
const STEPS = [
  'deliver',
  'deliver',
  'executePart',
  'execute',
  'execute',
  'remove',
  'tombstone',
] as const
/** Older orders have mostly ended. */
const RECENT = 12

/** The receiver of an order; undefined for one of the users. */
export type ReceiverOf = (order: { to: number; want: TokenSymbol }) => Address | undefined

export type TrafficOptions = {
  receiverOf?: ReceiverOf
  /** Whether it consists of orders to these receivers, with few actions on vaults. */
  isOfThese?: boolean
}

/** The shares of orders, of their next steps and of actions on vaults; the rest are empty blocks. */
const MIX = { usual: [0.2, 0.3, 0.4], ofThese: [0.25, 0.7, 0.02] } as const

/** The nodes mine each transaction at once; one that has become impossible is dropped. */
export function createRandomTraffic(
  world: World,
  random: SeededRandom,
  { receiverOf = () => undefined, isOfThese = false }: TrafficOptions = {},
): RandomTraffic {
  const orders: StepTarget[] = []
  const useVaults = createVaultTraffic(world, random)

  async function place() {
    const route = random.pick(ROUTES as [(typeof ROUTES)[number], ...typeof ROUTES])
    const [offer, want] = random.pick(route.pairs)
    const wanted = receiverOf({ to: route.to, want })
    if (isOfThese && !wanted) return
    const user = DEVNET_USERS[random.integer(0, 4)]
    const receiver = DEVNET_USERS[random.integer(0, 4)]
    if (!user || !receiver) return
    const units = BigInt(random.integer(2, 900))
    const { orderId } = await placeOrder(world, {
      user,
      receiver: wanted ?? receiver.address,
      sourceChainId: route.from,
      destinationChainId: route.to,
      offerAsset: DEPLOYMENT.tokens[offer],
      wantAsset: DEPLOYMENT.tokens[want],
      offerAmount: units * 10n ** (offer === 'USDP' ? 18n : 6n),
    })
    orders.push({ orderId, from: route.from, to: route.to, want })
  }

  async function moveOn() {
    const order = orders[orders.length - 1 - random.integer(0, Math.min(RECENT, orders.length) - 1)]
    if (!order) return
    // The chain refuses many of these, such as the execution of an order that has ended or is gone.
    await ORDER_STEPS[random.pick(STEPS)](world, order).catch(() => {})
  }

  async function passTime() {
    const chainId = random.pick([1, 4663])
    await worldClient(world, chainId).mine({ blocks: random.integer(1, 3) })
  }

  async function act() {
    const kind = random.fraction()
    const [placed, moved, used] = isOfThese ? MIX.ofThese : MIX.usual
    if (kind < placed || orders.length === 0) await place()
    else if (kind < placed + moved) await moveOn()
    else if (kind < placed + moved + used) await useVaults()
    else await passTime()
  }

  let last: Promise<void> = Promise.resolve()
  return {
    step() {
      // Two steps at once could send two transactions of one account with the same nonce.
      last = last.then(act)
      return last
    },
    orderIds: () => orders.map(({ orderId }) => orderId),
  }
}

/** A few orders, mostly recent, and the lists of their users. */
export function pathsOf(orderIds: Hex[]): string[] {
  const orders = orderIds.slice(-15)
  const users = DEVNET_USERS.slice(0, 5)
  return [
    ...orders.map((id) => `/v1/transit/orders/${id}`),
    ...users.map(({ address }) => `/v1/transit/orders?userAddress=${address}&pageSize=100`),
  ]
}
