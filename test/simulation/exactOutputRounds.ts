import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi, parseUnits } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEVNET_ACTORS, DEVNET_USERS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { type Execution, executeOrders } from '../../devnet/executeOrders.ts'
import { deliverPacket, readPackets } from '../../devnet/packets.ts'
import { erc20 } from '../../devnet/placeOrder.ts'
import { PLANNED_ROUTES, PLANNED_TOKENS } from '../../devnet/plan.ts'
import { type World, worldClient, worldStations } from '../../devnet/world.ts'
import { getJson } from '../support/getJson.ts'
import { owedByStation } from '../support/owedByStation.ts'
import { broadcast, type Ends, type QuoteBody, quotePath, tokenBalance } from '../support/quotes.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'

type Options = {
  world: World
  apiUrl: string
  quotes: number
  seed: number
  print: (line: string) => void
}

type Placed = { ends: Ends; receiver: Address; wantAmount: bigint; amountOut: bigint; orderId: Hex }

export type ExactOutputReport = { paid: number; belowMinimum: number; mostPaidBeyond: bigint }

/** Orders per user between two deliveries. */
const ORDERS_PER_USER = 10
/** In whole units; what is below the route's minimum is refused and drawn again. */
const LEAST_UNITS = 100
const MOST_UNITS = 100_000
/** The API keeps prices for so long. */
const PRICES_LIVE_MS = 10_000
/** A busy machine sheds load. */
const RETRY_MS = 1_000
const UNITS = '1000000000'

/**
 * Random quotes by what is wanted, each submitted, delivered and executed on the chains. Throws if a receiver
 * got less than was wanted, or if an offer of one unit less would have paid that too.
 */
export async function runExactOutput(options: Options): Promise<ExactOutputReport> {
  const { world, quotes, seed, print } = options
  const random = seededRandom(seed)
  const report = { paid: 0, belowMinimum: 0, mostPaidBeyond: 0n }
  const users = Math.min(DEVNET_USERS.length, Math.ceil(quotes / ORDERS_PER_USER))
  const sent = worldStations(world).map((source) => ({ source, next: { block: 0n } }))
  await Promise.all(sent.map(({ source }) => endow(world, source.chainId, users)))
  let pricedAt = -Infinity
  while (report.paid < quotes) {
    if (performance.now() - pricedAt > PRICES_LIVE_MS) {
      await setPrices(world, random)
      pricedAt = performance.now()
    }
    const left = quotes - report.paid
    const count = Math.min(ORDERS_PER_USER, Math.ceil(left / users))
    const lanes = Array.from({ length: users }, (_, user) => {
      return { user, count, random: seededRandom(random.integer(0, 2 ** 31)) }
    })
    const done = await Promise.all(lanes.map((lane) => placeOrders(options, lane)))
    const placed = done.flatMap((lane) => lane.placed)
    report.belowMinimum += done.reduce((sum, lane) => sum + lane.belowMinimum, 0)
    for (const { source, next } of sent)
      for (const packet of await readPackets(world, source, next))
        await deliverPacket(world, packet)
    await executePending(world)
    for (const order of placed) {
      const beyond = await expectPaid(world, order)
      if (beyond > report.mostPaidBeyond) report.mostPaidBeyond = beyond
    }
    report.paid += placed.length
    print(`${report.paid} of ${quotes} paid`)
  }
  return report
}

function drawEnds(random: SeededRandom): Ends {
  const route = PLANNED_ROUTES[random.integer(0, PLANNED_ROUTES.length - 1)]
  if (!route) throw new Error('Invariant(drawEnds): there is a route to order over')
  const [from, to, offer, want] = route
  return { from, to, offer, want }
}

type Lane = { user: number; count: number; random: SeededRandom }

/** One user's orders, one after the other. */
async function placeOrders({ world, apiUrl }: Options, { user, count, random }: Lane) {
  const placed: Placed[] = []
  let belowMinimum = 0
  while (placed.length < count) {
    const ends = drawEnds(random)
    const { from, offer, want } = ends
    const receiver = random.hex(20)
    const units = LEAST_UNITS * (MOST_UNITS / LEAST_UNITS) ** random.fraction()
    const wantAmount = parseUnits(units.toFixed(18), 18) / 10n ** BigInt(18 - decimalsOf(want))
    const integratorShare = BigInt(random.chance(0.5) ? random.integer(1, 900) : 0)
    const inOffer = parseUnits(units.toFixed(18), 18) / 10n ** BigInt(18 - decimalsOf(offer))
    const integratorFee = (inOffer * integratorShare) / 10_000n
    const { status, body, reason } = await getJson<QuoteBody>(
      `${apiUrl}${quotePath(ends, {
        userAddress: receiver,
        payerAddress: userAt(user).address,
        wantAmount: String(wantAmount),
        ...(integratorFee > 0n && {
          integratorFee: String(integratorFee),
          integratorFeeReceiver: DEVNET_ACTORS.integrator.address,
        }),
      })}`,
    )
    if (reason === 'BELOW_MIN_ORDER_SIZE') {
      belowMinimum += 1
      continue
    }
    if (reason === 'OVERLOADED') {
      await sleep(RETRY_MS)
      continue
    }
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    expectLeast(body, ends, wantAmount)
    const { status: sent } = await broadcast(world, from, {
      account: userAt(user),
      ...body.transaction,
    })
    if (sent !== 'success') throw new Error(`${body.orderId} reverted`)
    const amountOut = BigInt(body.amountOut)
    placed.push({ ends, receiver, wantAmount, amountOut, orderId: body.orderId })
  }
  return { placed, belowMinimum }
}

/** Throws unless the offer pays out what is wanted, and one unit less of it would not. */
function expectLeast(quote: QuoteBody, { offer, want }: Ends, wantAmount: bigint) {
  const decimals = [BigInt(decimalsOf(offer)), BigInt(decimalsOf(want))] as const
  const owed = (offered: bigint) => {
    const rate = BigInt(quote.conversionRateHundredthsBps)
    const conversion = (offered * rate + 999_999n) / 1_000_000n
    const fees = conversion + BigInt(quote.fillCostFee) + BigInt(quote.integratorFee)
    return owedByStation(offered - fees, ...decimals)
  }
  const offered = BigInt(quote.offerAmount)
  const isLeast = owed(offered) >= wantAmount && owed(offered - 1n) < wantAmount
  if (isLeast && quote.wantAmount === String(wantAmount)) return
  throw new Error(`not the least offer for ${wantAmount}: ${JSON.stringify(quote)}`)
}

/** By how much the receiver, who had nothing before, got more than was wanted. */
async function expectPaid(
  world: World,
  { ends, receiver, wantAmount, amountOut, orderId }: Placed,
) {
  const paid = await tokenBalance(world, ends.to, [ends.want, receiver])
  if (paid === amountOut && paid >= wantAmount) return paid - wantAmount
  throw new Error(`${orderId}: ${paid} paid, ${amountOut} quoted, ${wantAmount} wanted`)
}

/** Executes every order that the stations hold. */
async function executePending(world: World) {
  for (const { chainId, station } of worldStations(world)) {
    const client = worldClient(world, chainId)
    const pending = await client.readContract({
      address: station,
      abi: transitStationAbi,
      functionName: 'getPendingOrders',
    })
    const executions = pending.map(
      ({ terms, amountDue }): Execution => ({
        orderId: terms.uuid,
        wantAsset: terms.wantAsset,
        amount: amountDue,
      }),
    )
    for (let done = 0; done < executions.length; done += 50) {
      const { status } = await executeOrders(client, station, executions.slice(done, done + 50))
      if (status !== 'success') throw new Error(`executions of chain ${chainId} reverted`)
    }
  }
}

/** Gives every user enough of every token, and the station the right to take it. */
async function endow(world: World, chainId: number, users: number) {
  const owners = DEVNET_USERS.slice(0, users)
  for (const { symbol, decimals } of PLANNED_TOKENS) {
    const to = DEPLOYMENT.tokens[symbol]
    const accounts = owners.map(({ address }) => address)
    const mint = encodeFunctionData({
      abi: parseAbi(['function mint(address[], uint256)']),
      args: [[...accounts, DEPLOYMENT.vault], parseUnits(UNITS, decimals)],
    })
    await broadcast(world, chainId, { account: DEVNET_ACTORS.deployer, to, data: mint })
    for (const amount of [0n, maxUint256]) {
      const args = [DEPLOYMENT.station, amount] as const
      const data = encodeFunctionData({ abi: erc20, functionName: 'approve', args })
      await Promise.all(
        owners.map((_, user) => broadcast(world, chainId, { account: userAt(user), to, data })),
      )
    }
  }
}

/** New prices within the band, which never double: the signer refuses a quote whose costs did meanwhile. */
async function setPrices(world: World, random: SeededRandom) {
  const native = BigInt(random.integer(2_000, 3_500)) * 10n ** 8n + BigInt(random.integer(0, 1e8))
  const dollar = BigInt(random.integer(99_100_000, 100_900_000))
  for (const { chainId } of worldStations(world))
    for (const [to, answer] of [
      [DEPLOYMENT.feeds.native, native],
      [DEPLOYMENT.feeds.dollar, dollar],
    ] as const) {
      const { timestamp } = await worldClient(world, chainId).getBlock()
      const data = encodeFunctionData({
        abi: parseAbi(['function setRound(int256, uint256)']),
        args: [answer, timestamp],
      })
      await broadcast(world, chainId, { account: DEVNET_ACTORS.deployer, to, data })
    }
}

function decimalsOf(symbol: Ends['offer']): number {
  return PLANNED_TOKENS.find((token) => token.symbol === symbol)?.decimals ?? 0
}
