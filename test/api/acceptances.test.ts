import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { TokenSymbol } from '../../devnet/plan.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { resolvedRoutes } from '../../domain/transit/routes/resolvedRoutes.ts'
import { pauseRoute, resumeRoute } from '../../domain/transit/signing/routePauses.ts'
import { asOwner, earnClient } from '../support/earn.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { newAddressesFrom } from '../support/newAddressesFrom.ts'
import { type QuoteBody, quotePath } from '../support/quotes.ts'
import { type ErrorBody, expectRefusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { smartDepositRegistrar } from '../support/smartDepositRegistrar.ts'

const { tokens } = DEPLOYMENT
const dollar = vaultDeployment('Harbor Dollar', 1)
const USER = userAt(2).address
const OTHER = userAt(0).address
/** A hundredth of a token of 6 decimals: the local world's least payment. */
const LEAST = '10000'

type Acceptance = {
  chainId: number
  asset: Address
  minimum: string
  via: string
  isOpen: boolean
  reason?: { reason: string; message: string; metadata: Record<string, string>; since?: string }
}
type Capability = Pick<Acceptance, 'isOpen'> & { reasons: NonNullable<Acceptance['reason']>[] }

const clock = handClock()
let earn: EarnWorld
let customers = 0

beforeAll(async () => {
  earn = await startEarnWorld([1, 4663], { clock })
})
afterAll(() => earn?.stop())

const input = { userDestinationAddress: USER, vaultAddress: dollar.vault, chainId: 1 }

/** A new address of this generation, and what the create answer and the list say that it accepts. */
async function newAddress(generation: 'A' | 'B', inputToken: Address = tokens.USDC) {
  newAddressesFrom(earn.api.context.addressBook, generation)
  customers += 1
  const body = { ...input, inputToken, customerId: `accepting-${customers}` }
  const { answer } = await smartDepositRegistrar(earn).post(body)
  const { smartDepositAddress: address } = answer
  expect(await listed(address)).toEqual(answer.accepts)
  return { address, accepts: answer.accepts as Acceptance[] }
}

async function listed(address: Address): Promise<Acceptance[]> {
  const { body } = await smartDepositRegistrar(earn).list({
    filter: `smartDepositAddress = ${address}`,
  })
  const accepts = (body.smartDepositAddresses[0]?.accepts ?? []) as Acceptance[]
  for (const { chainId, asset } of accepts)
    expect(body.tokenMetadata).toHaveProperty(`${chainId}:${asset}`)
  return accepts
}

/** By `<chain> <token>`, why it is closed: null where it is open. */
function closedBy(accepts: Acceptance[]) {
  return Object.fromEntries(
    accepts.map(({ chainId, asset, isOpen, reason }) => {
      expect(isOpen).toBe(reason === undefined)
      return [`${chainId} ${symbolOf(asset)}`, reason?.reason ?? null]
    }),
  )
}

function symbolOf(asset: Address) {
  return Object.entries(tokens).find(([, address]) => getAddress(address) === asset)?.[0]
}

async function quoted(from: number, offer: TokenSymbol, parameters: Record<string, string>) {
  const path = quotePath(
    { from, to: 1, offer, want: 'USDC' },
    { userAddress: OTHER, ...parameters },
  )
  return getJson<QuoteBody & ErrorBody>(`${earn.api.url}${path}`)
}

const capabilities = async () =>
  (
    await getJson<{
      transitRoutes: (Capability & Record<string, unknown>)[]
      vaults: { vaultAddress: string; deposit: Capability }[]
    }>(`${earn.api.url}/v1/core/capabilities?pageSize=100`)
  ).body

describe('what a smart deposit address accepts', () => {
  test('default: of generation A, its input token on the chain of its vault', async () => {
    const { accepts } = await newAddress('A')
    const asset = getAddress(tokens.USDC)
    expect(accepts).toEqual([{ chainId: 1, asset, minimum: LEAST, via: 'DIRECT', isOpen: true }])
  })

  test('default: of generation B, also what has a Transit route there, with minimums that are taken', async () => {
    const { accepts } = await newAddress('B')
    const [direct, ...others] = accepts
    expect(direct).toMatchObject({ chainId: 1, minimum: LEAST, via: 'DIRECT', isOpen: true })
    expect(closedBy(others)).toEqual({ '4663 USDG': null, '1 USDT': null })
    for (const { chainId, asset, minimum, via } of others) {
      expect(via).toBe('TRANSIT')
      const offer = symbolOf(asset) as TokenSymbol
      const { status, body } = await quoted(chainId, offer, { offerAmount: minimum })
      expect([status, body.error]).toEqual([200, undefined])
      expect(BigInt(body.amountOut)).toBeGreaterThanOrEqual(BigInt(LEAST))
      const less = await quoted(chainId, offer, { offerAmount: String(BigInt(minimum) - 1n) })
      expectRefusal(less, { reason: 'BELOW_MIN_ORDER_SIZE', fields: ['offerAmount'] })
    }
  })

  test('behavior: where the least arrival is more than the least order, it counts', async () => {
    const { addressBook } = earn.api.context
    const token = addressBook.tokens.find(
      ({ chainId, address }) => chainId === 1 && address === tokens.USDC.toLowerCase(),
    )
    if (!token) throw new Error('the book has the token')
    const { smartDepositMinimum } = token
    token.smartDepositMinimum = '500000000'
    try {
      const { accepts } = await newAddress('B')
      for (const { chainId, asset, minimum, via } of accepts) {
        if (via === 'DIRECT') expect(minimum).toBe('500000000')
        else {
          const offer = symbolOf(asset) as TokenSymbol
          const amountOf = async (offerAmount: bigint) =>
            BigInt(
              (await quoted(chainId, offer, { offerAmount: String(offerAmount) })).body.amountOut,
            )
          expect(await amountOf(BigInt(minimum))).toBeGreaterThanOrEqual(500_000_000n)
          expect(await amountOf(BigInt(minimum) - 1n)).toBeLessThan(500_000_000n)
        }
      }
    } finally {
      token.smartDepositMinimum = smartDepositMinimum
    }
  })

  test('behavior: a chain without its factory is left out', async () => {
    const { address } = await newAddress('B')
    const chain = earn.api.context.addressBook.chains.find(({ id }) => id === 4663)
    if (!chain?.smartDeposit) throw new Error('the chain has a factory')
    const kept = chain.smartDeposit
    chain.smartDeposit = { ...kept, factory: `0x${'fa'.repeat(20)}`, otherFactories: [] }
    try {
      expect(closedBy(await listed(address))).toEqual({ '1 USDC': null, '1 USDT': null })
    } finally {
      chain.smartDeposit = kept
    }
  })

  describe('closed', () => {
    revertChains(() => [worldClient(earn.world, 1)])

    test('behavior: a route that the operator stopped, with the reason that capabilities give', async () => {
      const { address } = await newAddress('B')
      const route = resolvedRoutes(earn.api.context.addressBook).find(
        ({ route }) =>
          route.sourceChainId === 4663 && route.wantAsset === tokens.USDC.toLowerCase(),
      )?.key
      if (!route) throw new Error('the book has the route')
      await pauseRoute(earn.api.administrator, { route, reason: 'a test' })
      clock.advance(60_000)
      try {
        const accepts = await listed(address)
        expect(closedBy(accepts)).toEqual({
          '1 USDC': null,
          '4663 USDG': 'ROUTE_PAUSED',
          '1 USDT': null,
        })
        const { transitRoutes } = await capabilities()
        const closed = transitRoutes.find(({ isOpen }) => !isOpen)
        expect(accepts.find(({ isOpen }) => !isOpen)?.reason).toEqual(closed?.reasons[0])
      } finally {
        await resumeRoute(earn.api.administrator, route)
        clock.advance(60_000)
      }
    })

    test('behavior: a vault that takes no deposits', async () => {
      const { address } = await newAddress('B')
      const client = earnClient(
        { world: earn.world, url: earn.api.url },
        { name: 'Harbor Dollar', chainId: 1 },
      )
      await asOwner(client, dollar.current.teller, ['function pause()'])
      clock.advance(60_000)
      const accepts = await listed(address)
      expect(closedBy(accepts)).toEqual({
        '1 USDC': 'VAULT_PAUSED',
        '4663 USDG': 'VAULT_PAUSED',
        '1 USDT': 'VAULT_PAUSED',
      })
      const vault = (await capabilities()).vaults.find(
        ({ vaultAddress }) => vaultAddress === getAddress(dollar.vault),
      )
      expect(vault?.deposit.reasons).toContainEqual(accepts[0]?.reason)
    })

    test('behavior: a vault that left the book', async () => {
      clock.advance(60_000)
      const { address } = await newAddress('B')
      await earn.api.context.sql`
        update app.smart_deposit_address set vault_address = ${`0x${'fa'.repeat(20)}`}
        where address = ${address.toLowerCase()}`
      expect(closedBy(await listed(address))).toMatchObject({ '1 USDC': 'VAULT_NOT_FOUND' })
    })
  })
})

describe('a smart deposit address of generation B as the receiver of an order', () => {
  test('default: fit wherever it accepts the token', async () => {
    const { address } = await newAddress('B')
    const ends = [
      { from: 4663, to: 1, offer: 'USDG', want: 'USDC' },
      { from: 4663, to: 1, offer: 'USDG', want: 'USDT' },
      { from: 1, to: 4663, offer: 'USDC', want: 'USDG' },
      { from: 4663, to: 4663, offer: 'USDC', want: 'USDG' },
    ] as const
    for (const one of ends) {
      const path = quotePath(one, { userAddress: address, offerAmount: '2000000000' })
      const { status, body } = await getJson<ErrorBody>(`${earn.api.url}${path}`)
      expect([one, status, body.error?.message]).toEqual([one, 200, undefined])
    }
  })

  test('error: where it does not', async () => {
    const { address } = await newAddress('B')
    const ends = [
      { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
      { from: 1, to: 1, offer: 'USDC', want: 'USDS' },
    ] as const
    for (const one of ends) {
      const path = quotePath(one, { userAddress: address, offerAmount: '2000000000' })
      const answer = await getJson<ErrorBody>(`${earn.api.url}${path}`)
      expectRefusal(answer, {
        reason: 'RECEIVER_CANNOT_USE',
        metadata: { account: address },
        fields: ['userAddress'],
      })
      expect(answer.body.error.message).toContain('tokens with a Transit route to it')
    }
  })
})
