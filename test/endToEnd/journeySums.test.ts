import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { setCapClosed, setFrozen, setPaused } from '../../devnet/controls.ts'
import { PLANNED_ROUTES, type TokenSymbol } from '../../devnet/plan.ts'
import { reorganise } from '../../devnet/reorganise.ts'
import { PLANNED_VAULTS } from '../../devnet/vaults/plan.ts'
import { worldClient } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { ask, keyOf } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import type { JourneySum } from '../support/journeySum.ts'
import {
  type JourneyWorld,
  type Started,
  startJourneyWorld,
  targetOf,
  unitsOf,
  type Way,
} from '../support/journeyWorld.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { sdkWallets } from '../support/sdkWallets.ts'
import { testJourneyMaker } from './journeyMaker.ts'
import { testJourneyTruth } from './journeyTruth.ts'

/**
 * Journeys of every kind against a whole product. After each, what left the payer is summed from the logs of the nodes: no
 * unit is missing.
 */
let journeys: JourneyWorld
beforeAll(async () => {
  journeys = await startJourneyWorld()
})
afterAll(() => journeys?.stop())

testJourneyTruth(() => journeys)

const worldOf = () => journeys.product.world
const DOLLAR: Way = { from: 4663, offer: 'USDG', want: 'USDG', vault: 'Harbor Dollar' }
const PRIME: Way = { ...DOLLAR, vault: 'Harbor Prime' }
const AT_DOLLAR = { chainId: 1, vault: 'Harbor Dollar' }
const REORGANISED = 10
type Fees = { vault: { amount: string } }

/** Every route that ends in a token which a vault of that chain takes. */
const WAYS = PLANNED_ROUTES.flatMap(([from, to, offer, want]) =>
  PLANNED_VAULTS.filter(
    ({ chainIds, assets, inDeprecation }) =>
      to === 1 &&
      chainIds.includes(1) &&
      !inDeprecation &&
      assets.some(({ token, isClosedForDeposits }) => token === want && !isClosedForDeposits),
  ).map(({ name }): Way => ({ from, offer, want: want as TokenSymbol, vault: name })),
)

async function deliver(journey: Started) {
  if (journey.way.from !== 1) await ORDER_STEPS.deliver(worldOf(), targetOf(journey))
}
const execute = (journey: Started) => ORDER_STEPS.execute(worldOf(), targetOf(journey))
const executePart = (journey: Started) => ORDER_STEPS.executePart(worldOf(), targetOf(journey))
const remove = (journey: Started) => ORDER_STEPS.remove(worldOf(), targetOf(journey))

/** The keeper may not have seen a reorganisation yet that the index has. */
const untilInVault = (journey: Started) =>
  expect.poll(() => journeys.sumOf(journey).then((sum) => sum.inVault > 0n)).toBe(true)

/** The status of each payment. */
async function partsOf({ id }: Started): Promise<string[]> {
  type Shown = { journey: { smartDeposits: { status: string }[] } }
  const { body } = await getJson<Shown>(`${journeys.product.url}/v2/earn/journeys/${id}`)
  return body.journey.smartDeposits.map(({ status }) => status)
}

/** The whole amount due is in these places. */
function expectWhole(sum: JourneySum, ...places: (keyof JourneySum)[]) {
  expect(sum.due).toBeGreaterThan(0n)
  const found = places.reduce((total, place) => total + sum[place], 0n)
  expect([places, found]).toEqual([places, sum.due])
  for (const place of places) expect([place, sum[place] > 0n]).toEqual([place, true])
}

describe('from each chain and token into each vault that it can reach', () => {
  const user = userAt(4)
  const doors = {
    REST: (way: Way) => journeys.start(way, user),
    GraphQL: async (way: Way) => {
      const { product, parametersOf, send } = journeys
      const given = Object.entries(parametersOf(way, user, 250n)).map(([name, value]) =>
        name.endsWith('hainId') ? `${name}: ${value}` : `${name}: "${value}"`,
      )
      const query = `{ deposit(${given.join(', ')}) {
        transaction { to value data } journey { id smartDepositAddress } } }`
      const response = await ask(`${product.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      type Answer = { data?: { deposit?: Parameters<typeof send>[2] }; errors?: unknown }
      const { data, errors } = (await response.json()) as Answer
      expect([way, errors]).toEqual([way, undefined])
      if (!data?.deposit) throw new Error('GraphQL prepared no deposit')
      return send(way, user, data.deposit)
    },
    client: async (way: Way): Promise<Started> => {
      const { product, parametersOf } = journeys
      const { url, shield } = product
      const causeway = createCausewayClient({ url, apiKey: keyOf(url) ?? '', shield })
      const given = parametersOf(way, user, 250n)
      const { id, journey } = await causeway.earn.depositFrom({
        ...sdkWallets(product.world, user, way.from),
        from: { chainId: way.from, asset: given.sourceAsset as Address },
        chainId: 1,
        vaultAddress: given.vaultAddress as Address,
        depositAsset: given.depositAsset as Address,
        depositAmount: unitsOf(way.offer, 250n),
        minimumAmountOut: unitsOf(way.want, 240n),
        customerId: given.customerId ?? '',
      })
      const { smartDepositAddress } = journey
      return { way, user, id: id as Hex, smartDepositAddress }
    },
  }

  test.each(Object.entries(doors))('default: by %s, to FINALIZED', async (_, open) => {
    expect(WAYS.length).toBeGreaterThan(12)
    const started: Started[] = []
    for (const way of WAYS) started.push(await open(way))
    for (const journey of started) {
      await deliver(journey)
      await execute(journey)
    }
    for (const journey of started)
      await expect.poll(() => journeys.statusOf(journey)).toBe('DEPOSITED')
    await journeys.finalize()
    for (const journey of started) {
      const sum = await journeys.endsAs(journey, 'FINALIZED')
      expect(sum.paid).toBe(unitsOf(journey.way.offer, 250n))
      expect(sum.transitFees).toBeGreaterThan(0n)
      expect(sum.inVault + sum.vaultFees).toBe(sum.due)
      expect(sum.inVault).toBeGreaterThan(0n)
    }
  })
})

test('default: a journey on its way shows the shares of its quote, less the flat fee of the vault', async () => {
  const way: Way = { from: 4663, offer: 'USDG', want: 'USDS', vault: 'Harbor Prime' }
  const { url } = journeys.product
  const query = new URLSearchParams(journeys.parametersOf(way, userAt(4), 250n))
  const { body: quote } = await getJson<{ expectedShares: string; fees: Fees }>(
    `${url}/v2/earn/journeys/quote?${query}`,
  )
  expect(BigInt(quote.fees.vault.amount)).toBeGreaterThan(0n)
  const { id } = await journeys.start(way, userAt(4))
  const { body } = await getJson<{ journey: { status: string; expectedShares: string } }>(
    `${url}/v2/earn/journeys/${id}`,
  )
  expect(body.journey).toMatchObject({ status: 'SENT', expectedShares: quote.expectedShares })
})

describe('a journey that does not go as it was meant to', () => {
  test('behavior: the vault is paused on arrival: retained, then in the vault', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await deliver(journey)
    await setPaused(worldOf(), AT_DOLLAR, true)
    try {
      await execute(journey)
      expectWhole(await journeys.endsAs(journey, 'RETAINED'), 'retained')
    } finally {
      await setPaused(worldOf(), AT_DOLLAR, false)
    }
    await journeys.retryNow()
    expectWhole(await journeys.endsAs(journey, 'DEPOSITED'), 'inVault')
  })

  test('behavior: the cap is filled meanwhile: refunded', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await deliver(journey)
    await setCapClosed(worldOf(), AT_DOLLAR, true)
    try {
      await execute(journey)
      expectWhole(await journeys.endsAs(journey, 'REFUNDED'), 'refunded')
    } finally {
      await setCapClosed(worldOf(), AT_DOLLAR, false)
    }
  })

  test('behavior: the user is frozen meanwhile: recovered', async () => {
    const user = userAt(6)
    const frozen = { chainId: 1, vault: 'Harbor Prime', account: user.address }
    const journey = await journeys.start(PRIME, user)
    await deliver(journey)
    await setFrozen(worldOf(), frozen, true)
    try {
      await execute(journey)
      expectWhole(await journeys.endsAs(journey, 'RECOVERED'), 'recovered')
    } finally {
      await setFrozen(worldOf(), frozen, false)
    }
  })

  test('behavior: who paid the order is refused by the screening of payers: recovered', async () => {
    const user = userAt(6)
    const journey = await journeys.start(DOLLAR, user)
    await journeys.refusePayer(user.address)
    await deliver(journey)
    await execute(journey)
    expectWhole(await journeys.endsAs(journey, 'RECOVERED'), 'recovered')
  })

  test('behavior: the order is removed: nothing of it arrives', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await deliver(journey)
    await remove(journey)
    expectWhole(await journeys.endsAs(journey, 'REMOVED'), 'unpaid')
  })

  test('behavior: the order is paid in part and then removed: in the vault, and unpaid', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await deliver(journey)
    await executePart(journey)
    await remove(journey)
    await untilInVault(journey)
    expectWhole(await journeys.endsAs(journey, 'REMOVED'), 'inVault', 'unpaid')
    await expect.poll(() => partsOf(journey)).toEqual(['CONFIRMED'])
  })

  test('behavior: the order is paid in two parts: both in the vault', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await deliver(journey)
    await executePart(journey)
    await untilInVault(journey)
    expectWhole(await journeys.endsAs(journey, 'BRIDGED'), 'inVault', 'unpaid')
    await expect.poll(() => partsOf(journey)).toEqual(['CONFIRMED'])
    await execute(journey)
    expectWhole(await journeys.endsAs(journey, 'DEPOSITED'), 'inVault')
  })

  test('behavior: the bridge is slow: sent, until the message arrives', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await journeys.finalize()
    expectWhole(await journeys.endsAs(journey, 'SENT'), 'unpaid')
    await deliver(journey)
    await execute(journey)
    expectWhole(await journeys.endsAs(journey, 'DEPOSITED'), 'inVault')
  })

  test('behavior: ten blocks of the destination are taken back: paid and deposited again', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await deliver(journey)
    const client = worldClient(worldOf(), 1)
    await client.mine({ blocks: REORGANISED })
    await execute(journey)
    await journeys.endsAs(journey, 'DEPOSITED')
    await reorganise(client, REORGANISED)
    expectWhole(await journeys.endsAs(journey, 'BRIDGED'), 'unpaid')
    await execute(journey)
    await untilInVault(journey)
    expectWhole(await journeys.endsAs(journey, 'DEPOSITED'), 'inVault')
  })

  test('behavior: ten blocks of the source are taken back: the user has paid nothing', async () => {
    const journey = await journeys.start(DOLLAR, userAt(5))
    await reorganise(worldClient(worldOf(), 4663), REORGANISED)
    await expect.poll(() => journeys.statusOf(journey)).toBeUndefined()
    expect((await journeys.sumOf(journey)).paid).toBe(0n)
  })
})

testJourneyMaker(() => journeys)
