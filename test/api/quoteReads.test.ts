import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, formatUnits, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEVNET_QUOTE_SIGNER_KEY, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Clock } from '../../domain/cache/keptReads.ts'
import { deployer, send, startStationWorld } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import type { FaultyNode } from '../support/faultyNode.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { handClock } from '../support/handClock.ts'
import { quotePath } from '../support/quotes.ts'
import { revertChains } from '../support/revertChains.ts'
import { askRoutes, startStationNode } from '../support/stationNodes.ts'
import { askQuote, expectQuoteRefused } from './askQuote.ts'

/** The number of calls that a quote makes to the nodes, and its use of prices. */

const USER = DEVNET_USERS[0]?.address ?? ''
const LOCAL = quotePath(
  { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
  { userAddress: USER, offerAmount: '2000000000' },
)
const CROSS = quotePath(
  { from: 1, to: 4663, offer: 'USDC', want: 'USDG' },
  { userAddress: USER, offerAmount: '2000000000' },
)

let world: Awaited<ReturnType<typeof startStationWorld>>
let proxies: Record<1 | 4663, FaultyNode>
beforeAll(async () => {
  world = await startStationWorld()
  proxies = { 1: await startStationNode(world, 1), 4663: await startStationNode(world, 4663) }
})
afterAll(async () => {
  await Promise.all(Object.values(proxies ?? {}).map((proxy) => proxy.stop()))
  await world?.stop()
})

describe('round trips', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi({
      world,
      rpcUrls: { 1: [proxies[1].rpcUrl], 4663: [proxies[4663].rpcUrl] },
      clock: handClock(),
    })
  })
  afterAll(() => api.stop())
  const calls = () => [...proxies[1].takeCalls(), ...proxies[4663].takeCalls()]
  const startFresh = async (clock?: Clock) => {
    const rpcUrls = { 1: [proxies[1].rpcUrl], 4663: [proxies[4663].rpcUrl] }
    const fresh = await startTestApi({ world, rpcUrls, ...(clock && { clock }) })
    onTestFinished(() => fresh.stop())
    return fresh
  }

  test('default: one across chains, none on one chain, as long as what was read may be kept', async () => {
    await Promise.all([askRoutes(api, LOCAL), askRoutes(api, CROSS)])
    calls()
    for (let round = 0; round < 5; round += 1) {
      expect((await askRoutes(api, LOCAL)).status).toBe(200)
      expect(calls()).toEqual([])
      expect((await askRoutes(api, CROSS)).status).toBe(200)
      expect(calls()).toEqual(['eth_call'])
    }
  })

  test('behavior: when the station must be read again, one quote takes one call per chain for that', async () => {
    const fresh = await startFresh()
    await Promise.all([askRoutes(fresh, CROSS), askRoutes(fresh, LOCAL)])
    calls()
    // On the real clock: longer than approvals are cached, shorter than prices.
    await sleep(5_100)
    expect((await askRoutes(fresh, LOCAL)).status).toBe(200)
    expect(calls()).toEqual(['eth_call'])
    expect((await askRoutes(fresh, CROSS)).status).toBe(200)
    // The fee of the message, and whether the destination is paused.
    expect(calls()).toEqual(['eth_call', 'eth_call'])
  })

  test('behavior: concurrent requests share one read', async () => {
    const fresh = await startFresh()
    calls()
    const answers = await Promise.all(Array.from({ length: 40 }, () => askRoutes(fresh, LOCAL)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const asked = calls()
    expect(asked.filter((method) => method === 'eth_gasPrice')).toHaveLength(1)
    expect(asked.filter((method) => method === 'eth_call').length).toBeLessThanOrEqual(3)
  })

  test('behavior: the routes take one call per chain, however many there are', async () => {
    const clock = handClock()
    const fresh = await startFresh(clock)
    await askRoutes(fresh, '/v1/transit/routes')
    calls()
    clock.advance(4_000)
    await askRoutes(fresh, '/v1/transit/routes')
    expect(calls()).toEqual([])
    clock.advance(1_100)
    await askRoutes(fresh, '/v1/transit/routes')
    expect(calls()).toEqual(['eth_call', 'eth_call'])
  })
})

describe('an indicative quote', () => {
  const without = (body: object) =>
    Object.fromEntries(
      Object.entries(body).filter(
        ([name]) => !['orderId', 'expiresAt', 'transaction'].includes(name),
      ),
    )
  const asked = (path: string) => `${path}&indicative=true`

  test('default: the figures of the signed one, and nothing that is signed', async () => {
    const api = await startFreshApi({ world })
    for (const path of [LOCAL, CROSS]) {
      const signed = await askQuote(api, path)
      const { status, body } = await askQuote(api, asked(path))
      expect([status, body]).toEqual([200, without(signed.body)])
      expect(body).toMatchObject({ messageFee: signed.body.transaction.value })
    }
  })

  test('behavior: it takes nothing of the cap of its route, and does not ask the signer', async () => {
    const signer = privateKeyToAccount(DEVNET_QUOTE_SIGNER_KEY)
    let signatures = 0
    const addressBook = parseAddressBook(
      {
        ...world.addressBook,
        transitRoutes: world.addressBook.transitRoutes.map((route) => ({
          ...route,
          maxOrderSize: '2000000000',
          hourlyCap: '200000000000',
        })),
      },
      'capped',
    )
    const api = await startFreshApi({
      world,
      addressBook,
      quoteSigner: {
        ...signer,
        sign: (hash) => {
          signatures += 1
          return signer.sign(hash)
        },
      },
    })
    for (let round = 0; round < 3; round += 1)
      expect((await askQuote(api, asked(LOCAL))).status).toBe(200)
    expect(await api.context.sql`select 1 from app.transit_quoted`).toEqual([])
    expect(signatures).toBe(0)
    expect((await askQuote(api, LOCAL)).status).toBe(200)
    expect(signatures).toBe(1)
    expect(await api.context.sql`select 1 from app.transit_quoted`).not.toEqual([])
  })

  test('error: with a simulation or a permit, and where a signed one is refused', async () => {
    const api = await startFreshApi({ world })
    const fields = async (path: string) => {
      const { body } = await askQuote(api, asked(path))
      return body.error?.details.flatMap(({ fieldViolations }) =>
        fieldViolations.map(({ field }) => field),
      )
    }
    expect(await fields(`${LOCAL}&simulate=true`)).toEqual(['simulate'])
    const permit = `permitSignature=0x${'11'.repeat(64)}1b&permitDeadline=${Math.floor(Date.now() / 1_000) + 600}`
    expect(await fields(`${LOCAL}&${permit}`)).toEqual(['permitSignature'])
    const unsigned = await startFreshApi({ world, quoteSignerKey: null })
    expect((await askQuote(unsigned, asked(LOCAL))).status).toBe(503)
  })
})

describe('a price that is none', () => {
  revertChains(() => [worldClient(world, 1)])
  const feed = (name: 'native' | 'dollar', answer: bigint, updatedAt: bigint) =>
    setRound(DEPLOYMENT.feeds[name], answer, updatedAt)
  const setRound = (address: Address, answer: bigint, updatedAt: bigint) =>
    send(world, 1, {
      address,
      account: deployer,
      data: encodeFunctionData({
        abi: parseAbi(['function setRound(int256, uint256)']),
        args: [answer, updatedAt],
      }),
    })
  const now = BigInt(Math.floor(Date.now() / 1_000))

  test.each<[string, 'native' | 'dollar', bigint, bigint]>([
    ['a stale price of gas', 'native', 250_000_000_000n, now - 4_000n],
    ['a stale price of the offer', 'dollar', 100_000_000n, now - 91_000n],
    ['a price from the future', 'dollar', 100_000_000n, now + 3_600n],
    ['a price of gas from the future', 'native', 250_000_000_000n, now + 3_600n],
    ['no price at all', 'native', 0n, now],
    ['a price below 0', 'dollar', -1n, now],
  ])('error: %s', async (_, name, answer, updatedAt) => {
    await feed(name, answer, updatedAt)
    const api = await startFreshApi({ world })
    await expectQuoteRefused(api, {
      reason: 'PRICE_UNAVAILABLE',
      metadata: expect.objectContaining({ chainId: '1' }),
    })
  })

  describe('of a chain with an uptime feed of its sequencer', () => {
    const HOUR = 3_600n
    const [UP, DOWN] = [0n, 1n]
    const uptimeFeed = `0x${'5e'.repeat(20)}` as const
    const startWith = async (status: bigint, since: bigint) => {
      const client = worldClient(world, 1)
      // The local feeds have the form of it.
      const bytecode = await client.getCode({ address: DEPLOYMENT.feeds.native })
      await client.setCode({ address: uptimeFeed, bytecode: bytecode ?? '0x' })
      await setRound(uptimeFeed, status, since)
      const book = {
        ...world.addressBook,
        chains: world.addressBook.chains.map((chain) =>
          chain.id === 1 ? { ...chain, sequencerUptimeFeed: uptimeFeed } : chain,
        ),
      }
      return startFreshApi({ world, addressBook: parseAddressBook(book, 'with an uptime feed') })
    }

    test.each<[string, bigint, bigint]>([
      ['it is down', DOWN, now - 5n * HOUR],
      ['it has been up for less than an hour', UP, now - HOUR + 60n],
      ['the feed knows neither', 2n, now - 5n * HOUR],
    ])('error: %s', async (_, status, since) => {
      const api = await startWith(status, since)
      await expectQuoteRefused(api, {
        reason: 'PRICE_UNAVAILABLE',
        metadata: expect.objectContaining({ chainId: '1' }),
      })
    })

    test('behavior: it has been up for longer', async () => {
      const api = await startWith(UP, now - HOUR - 60n)
      expect((await askQuote(api, LOCAL)).status).toBe(200)
    })
  })

  test.each<[string, bigint]>([
    ['half of a dollar', 50_000_000n],
    ['five cents', 5_000_000n],
    ['1e30 dollars', 10n ** 38n],
    ['one unit below the band', 98_999_999n],
    ['one unit above the band', 101_000_001n],
  ])('error: assets at %s', async (_, answer) => {
    await feed('dollar', answer, now)
    const api = await startFreshApi({ world })
    await expectQuoteRefused(api, {
      reason: 'PRICE_OUT_OF_BAND',
      metadata: {
        asset: DEPLOYMENT.tokens.USDC,
        chainId: '1',
        priceUsd: formatUnits(answer, 8),
        bandBps: '100',
      },
    })
  })

  test('error: the want asset alone is off its band, or its price is stale', async () => {
    // The native feed in place of the want asset's: the local world has one dollar per chain.
    const wants = (maxAgeSeconds: number) => ({
      ...world.addressBook,
      tokens: world.addressBook.tokens.map((token) =>
        token.address === DEPLOYMENT.tokens.USDG.toLowerCase() && token.chainId === 1
          ? { ...token, usdFeed: { chainId: 1, address: DEPLOYMENT.feeds.native, maxAgeSeconds } }
          : token,
      ),
    })
    await feed('native', 99_000_000n, now - 100n)
    const inBand = await startFreshApi({
      world,
      addressBook: parseAddressBook(wants(3_600), 'in band'),
    })
    expect((await askQuote(inBand, LOCAL)).status).toBe(200)
    await feed('native', 98_900_000n, now - 100n)
    const off = await startFreshApi({ world, addressBook: parseAddressBook(wants(3_600), 'off') })
    await expectQuoteRefused(off, {
      reason: 'PRICE_OUT_OF_BAND',
      metadata: {
        asset: DEPLOYMENT.tokens.USDG,
        chainId: '1',
        priceUsd: '0.989',
        bandBps: '100',
      },
    })
    const stale = await startFreshApi({ world, addressBook: parseAddressBook(wants(50), 'stale') })
    await expectQuoteRefused(stale, { reason: 'PRICE_UNAVAILABLE' })
  })

  test('default: the execution of an example computed by hand', async () => {
    // 130,000 gas × 3 gwei = 0.00039 ETH × 2,345.67 USD = 0.9148113 USD ÷ 0.999 = 0.915727…
    await feed('native', 234_567_000_000n, now)
    await feed('dollar', 99_900_000n, now)
    const tip = await worldClient(world, 1).estimateMaxPriorityFeePerGas()
    await worldClient(world, 1).setNextBlockBaseFeePerGas({ baseFeePerGas: 3_000_000_000n - tip })
    expect(await worldClient(world, 1).getGasPrice()).toBe(3_000_000_000n)
    const api = await startFreshApi({ world })
    const { body } = await askQuote(api, LOCAL)
    expect(body).toMatchObject({
      fillCostFee: '915728',
      conversionRateFee: '1000000',
      protocolFee: '1915728',
      integratorFee: '0',
      totalFees: '1915728',
      amountOut: '1998084272',
      conversionRateHundredthsBps: 500,
    })
  })
})
