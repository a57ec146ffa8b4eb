import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { PLANNED_TOKENS, type TokenSymbol } from '../../devnet/plan.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { lower } from '../support/lower.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import { createStationOperators } from '../support/stationOperators.ts'
import { type PaidPlace, payers } from './paymentPlaces.ts'
import { isDirect, routesTo, unitsOf } from './paymentRules.ts'
import { createReorganiser, DEEPEST, type Reorganisation } from './reorganiser.ts'

const SHARES = { unlisted: 0.2, noRoute: 0.1, dust: 0.1, foreign: 0.5 }
/** Of the unlisted payments: more than are deposits go to one address on one chain. */
const CROWD_SHARE = 0.3
const CROWD_CHAIN = 8453
/** Of the orders: first a half is paid, later the rest. */
const PARTLY_PAID = 0.2
const MARK_EVERY = 4
const SYMBOLS = PLANNED_TOKENS.map(({ symbol }) => symbol) as [TokenSymbol, ...TokenSymbol[]]

type Drawn = { chainId: number; token: Address; amount: bigint; place: PaidPlace }

type Surroundings = {
  world: World
  places: readonly [PaidPlace, ...PaidPlace[]]
  /** By chain id. */
  unlisted: ReadonlyMap<number, Address>
  random: SeededRandom
}

export type PaymentTraffic = {
  pay(): Promise<void>
  /** Delivers what the stations have sent, and pays orders. */
  operate(): Promise<void>
  /** Changes the past of one chain. Payments may be gone afterwards, and others there. */
  reorganise(): Promise<Reorganisation>
}

/** Random payments, and those who run Transit. One step at a time. */
export function createPaymentTraffic({
  world,
  places,
  unlisted,
  random,
}: Surroundings): PaymentTraffic {
  const chainIds = [...unlisted.keys()] as [number, ...number[]]
  const operators = createStationOperators(world)
  let paid = 0
  const reorganisers = chainIds.map((chainId) => {
    const rewrite = async (change: () => Promise<unknown>) => void (await change())
    return createReorganiser(world, { chainId, rewrite }, random)
  })
  // A reorganisation happens between two steps.
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const done = last.then(step)
    // The caller gets the error. The next step goes on all the same.
    last = done.catch(() => {})
    return done
  }

  function draw(): Drawn {
    const place = random.pick(places)
    const share = random.fraction()
    if (share < SHARES.unlisted) return drawUnlisted(place)
    if (share < SHARES.unlisted + SHARES.noRoute) return drawNoRoute(place)
    const routes = routesTo(place)
    const direct = { chainId: place.chainId, token: place.token }
    const [first, ...others] = routes
    const way = first && random.chance(SHARES.foreign) ? random.pick([first, ...others]) : direct
    const isDust = random.chance(SHARES.dust / (1 - SHARES.unlisted - SHARES.noRoute))
    const unit = unitsOf(way.token)
    const cents = isDirect({ ...way, place })
      ? isDust
        ? random.fraction()
        : random.integer(500, 5_000)
      : isDust
        ? random.integer(1, 10_000)
        : random.integer(15_000, 90_000)
    const amount = (unit * BigInt(Math.ceil(cents * 10_000))) / 1_000_000n
    return { ...way, amount: amount + BigInt(random.integer(1, 9)), place }
  }

  function drawUnlisted(place: PaidPlace): Drawn {
    const isCrowd = random.chance(CROWD_SHARE)
    const chainId = isCrowd ? CROWD_CHAIN : random.pick(chainIds)
    const token = unlisted.get(chainId) ?? '0x'
    const amount = BigInt(random.integer(1, 1e9))
    return { chainId, token, amount, place: isCrowd ? places[0] : place }
  }

  function drawNoRoute(place: PaidPlace): Drawn {
    for (;;) {
      const token = lower(DEPLOYMENT.tokens[random.pick(SYMBOLS)])
      const drawn = { chainId: random.pick(chainIds), token, place }
      const isAccepted = routesTo(place).some(
        (way) => way.chainId === drawn.chainId && way.token === token,
      )
      if (!isDirect(drawn) && !isAccepted)
        return { ...drawn, amount: unitsOf(token) * BigInt(random.integer(1, 900)) }
    }
  }

  async function pay() {
    const { chainId, token, amount, place } = draw()
    if (paid % MARK_EVERY === 0) for (const reorganiser of reorganisers) await reorganiser.mark()
    paid += 1
    const client = worldClient(world, chainId)
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [place.address, amount],
    })
    const account = random.pick(payers())
    await client.sendTransaction({ account, to: token, gas: 200_000n, data })
  }

  async function operate() {
    // A message is sent on when no reorganisation can take it back, as by the stations' endpoints.
    for (const { chainId } of worldStations(world))
      await worldClient(world, chainId).mine({ blocks: DEEPEST + 1 })
    await operators.deliver(DEEPEST + 1)
    await operators.execute((due) => (random.chance(PARTLY_PAID) ? (due + 1n) / 2n : due))
  }

  return {
    pay: () => inTurn(pay),
    operate: () => inTurn(operate),
    reorganise: () =>
      inTurn(() => {
        const [first, ...others] = reorganisers
        if (!first) throw new Error('Invariant(reorganise): there are chains')
        return random.pick([first, ...others]).reorganise({ step: pay })
      }),
  }
}
