import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { worldClient } from '../../devnet/world.ts'
import { type ChainHistory, createChainHistory } from '../simulation/chainHistory.ts'
import { CHAIN_ID, MINIMUM, type Place } from '../simulation/keeperTraffic.ts'
import { createRandomTraffic } from '../simulation/randomTraffic.ts'
import { createReorganiser, type Reorganisation } from '../simulation/reorganiser.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'
import { CHAOS_CHAINS, type Installation } from './installation.ts'

export type ChainTraffic = {
  histories: ChainHistory[]
  orderIds(): Hex[]
  /** How many orders to smart deposit addresses were placed. */
  journeys(): number
  /** Changes the past of one chain, between two steps. */
  reorganise(): Promise<Reorganisation>
  stop(): Promise<void>
}

/** Whether it consists of journeys alone, but for payments to their addresses. */
type TrafficOptions = { seed: number; isOfJourneys: boolean }

const PAUSE_MS = 150
const MARK_EVERY = 4
/** Of the orders that can pay to a smart deposit address. */
const JOURNEY_SHARE = 0.7
/** Has no shares and no orders of its own. */
const PAYER = userAt(5)

/** Orders, actions on vaults and payments to smart deposit addresses, one step at a time. */
export function startChainTraffic(
  { world }: Pick<Installation, 'world'>,
  places: Place[],
  { seed, isOfJourneys }: TrafficOptions,
): ChainTraffic {
  const random = seededRandom(seed)
  let journeys = 0
  const traffic = createRandomTraffic(world, random, {
    isOfThese: isOfJourneys,
    receiverOf(order) {
      if (!isOfJourneys && !random.chance(JOURNEY_SHARE)) return undefined
      const receiver = receiverOf(places, order, random)
      if (receiver) journeys += 1
      return receiver
    },
  })
  const histories = CHAOS_CHAINS.map((id) => createChainHistory(world, id))
  const reorganisers = histories.map((history) => createReorganiser(world, history, random))
  const waiting: (() => Promise<void>)[] = []
  let isStopped = false

  async function run() {
    for (let step = 0; !isStopped; step += 1) {
      if (step % MARK_EVERY === 0) for (const reorganiser of reorganisers) await reorganiser.mark()
      await waiting.shift()?.()
      await traffic.step()
      if (random.chance(0.15)) await pay(world, places, random)
      if (!isOfJourneys) await sleep(PAUSE_MS)
    }
    for (const work of waiting.splice(0)) await work()
  }
  const running = run()
  // Reported by `stop`.
  running.catch(() => {})
  return {
    histories,
    orderIds: traffic.orderIds,
    journeys: () => journeys,
    reorganise() {
      const { promise, resolve, reject } = Promise.withResolvers<Reorganisation>()
      waiting.push(async () => {
        const [first, ...others] = reorganisers
        if (!first) throw new Error('Invariant(reorganise): there are chains')
        await random
          .pick([first, ...others])
          .reorganise(traffic)
          .then(resolve, reject)
      })
      return promise
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** An address that takes what the order pays. */
function receiverOf(
  places: Place[],
  { to, want }: { to: number; want: TokenSymbol },
  random: SeededRandom,
): Address | undefined {
  const [first, ...others] = places.filter(
    ({ token }) => to === CHAIN_ID && token === DEPLOYMENT.tokens[want],
  )
  return first && random.pick([first, ...others]).address
}

/** The chain decides later whether it is forwarded or refunded; a reorganisation may take it back. */
async function pay(world: Installation['world'], places: Place[], random: SeededRandom) {
  const [first, ...others] = places
  if (!first) return
  const place = random.pick([first, ...others])
  const amount = random.chance(0.2)
    ? MINIMUM / 3n + BigInt(random.integer(0, 99))
    : parseUnits(String(random.integer(5, 50)), 6) + BigInt(random.integer(0, 999))
  const client = worldClient(world, CHAIN_ID)
  const args = [place.address, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await client.sendTransaction({ account: PAYER, to: place.token, gas: 200_000n, data })
}
