import {
  type Address,
  encodeFunctionData,
  formatUnits,
  type Hex,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { listAudit } from '../../domain/access/audit.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { resolvedRoutes } from '../../domain/transit/routes/resolvedRoutes.ts'
import { ALL_ROUTES, pauseRoute, resumeRoute } from '../../domain/transit/signing/routePauses.ts'
import { makeQuote, messageFee, signQuote, submitCall } from '../devnet/orders.ts'
import { revertOf } from '../devnet/revertOf.ts'
import { deployer, send, startStationWorld } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
import { handClock } from '../support/handClock.ts'
import { quotePath } from '../support/quotes.ts'
import { type ErrorBody, expectRefusal, type Refusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import {
  asOwner,
  CROSS,
  QUOTE_CASES,
  type QuoteCase,
  REFUSED_PARAMETERS,
  routeOf,
  setPublic,
  signatureEnding,
} from './quoteCases.ts'

/**
 * Every reason for which a station refuses a submission: the API's answer, and the station's revert when
 * the same submission is sent without the API's check.
 */

const USER = userAt(0).address
const LOCAL = { from: 1, to: 1, offer: 'USDC', want: 'USDG' } as const
const OFFER = 2_000_000_000n
const good = { userAddress: USER, offerAmount: String(OFFER) }

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
  const data = encodeFunctionData({
    abi: parseAbi(['function approve(address, uint256)']),
    args: [DEPLOYMENT.station, 10n ** 18n],
  })
  for (const token of [DEPLOYMENT.tokens.USDC, DEPLOYMENT.tokens.USDG])
    await send(world, 1, { address: token, account: userAt(0), data })
})
afterAll(() => world?.stop())
revertChains(() => [1, 4663].map((chainId) => worldClient(world, chainId)))

describe('orders that a station would refuse', () => {
  test.each(QUOTE_CASES)('error: $name', async ({ prepare, forced, reverts, ...wish }) => {
    await prepare?.(world)
    const api = await startApi()
    await expectRefused(api, wish)
    const quote = await makeQuote(world, 1, { offerAmount: OFFER, ...forced })
    const { signature } = await signQuote(1, quote)
    // A station that cannot send reports no fee either, so the submission must show the reason.
    const fee = await messageFee(world, 1, quote).catch(() => 0n)
    expect(await revertOf(world, 1, submitCall(quote, signature, fee))).toEqual(reverts)
  })

  test('behavior: without the fault there is a quote, which the chain takes', async () => {
    const api = await startApi()
    for (const ends of [LOCAL, CROSS]) {
      const { status, body } = await ask(api, quotePath(ends, { ...good, simulate: 'true' }))
      expect([status, body.error]).toEqual([200, undefined])
      const { to, data, value } = body.transaction
      await send(world, 1, { address: to, data, value: BigInt(value), account: userAt(0) })
    }
  })

  test('error: a quote that is sent twice is refused by the chain alone; two quotes never are one', async () => {
    const api = await startApi()
    const { body: first } = await ask(api, quotePath(LOCAL, good))
    const { body: second } = await ask(api, quotePath(LOCAL, good))
    expect(first.orderId).not.toBe(second.orderId)
    for (const { transaction } of [first, second])
      await send(world, 1, { address: transaction.to, data: transaction.data, account: userAt(0) })
    const again = {
      address: first.transaction.to,
      data: first.transaction.data,
      account: userAt(0),
    }
    expect(await revertOf(world, 1, again)).toEqual(['SignatureAlreadyUsed', first.orderId])
  })

  test('error: a quote past its time', async () => {
    const api = await startApi({ settings: { quoteTtlSeconds: 2 } })
    const { body } = await ask(api, quotePath(LOCAL, good))
    const deadline = Date.parse(body.expiresAt) / 1_000
    expect(deadline - Date.now() / 1_000).toBeLessThan(3)
    await worldClient(world, 1).setNextBlockTimestamp({ timestamp: BigInt(deadline) + 1n })
    await worldClient(world, 1).mine({ blocks: 1 })
    const late = { address: body.transaction.to, data: body.transaction.data, account: userAt(0) }
    expect(await revertOf(world, 1, late)).toEqual(['QuoteExpired', BigInt(deadline)])
  })

  test("behavior: where the chain's clock is ahead, the quote lives from that", async () => {
    const timestamp = BigInt(Math.floor(Date.now() / 1_000)) + 7_200n
    await worldClient(world, 1).setNextBlockTimestamp({ timestamp })
    await worldClient(world, 1).mine({ blocks: 1 })
    const api = await startApi()
    const { body } = await ask(api, quotePath(LOCAL, good))
    expect(Date.parse(body.expiresAt) / 1_000).toBeGreaterThanOrEqual(Number(timestamp) + 600)
    await send(world, 1, {
      address: body.transaction.to,
      data: body.transaction.data,
      account: userAt(0),
    })
  })

  test('behavior: a destination that is paused is shown, and the quote is made', async () => {
    const api = await startApi()
    expect((await ask(api, quotePath(CROSS, good))).body.destinationPaused).toBe(false)
    await send(world, 4663, {
      address: DEPLOYMENT.station,
      account: deployer,
      data: encodeFunctionData({ abi: parseAbi(['function pause()']) }),
    })
    const later = await startApi()
    const { status, body } = await ask(later, quotePath(CROSS, good))
    expect([status, body.destinationPaused]).toEqual([200, true])
    expect((await ask(later, quotePath(LOCAL, good))).body.destinationPaused).toBe(false)
  })

  test('error: a peer that is removed while its station is cached is reported by quoteSend', async () => {
    const api = await startApi()
    expect((await ask(api, quotePath(CROSS, good))).status).toBe(200)
    await asOwner(world, 'function setPeer(uint32, bytes32)', 30_416, zeroHash)
    await expectRefused(api, { ends: CROSS, reason: 'STATION_NOT_CONNECTED' })
  })

  test('behavior: where permits alone are not public, a quote without one is made', async () => {
    await setPublic(world, 'submitOrderWithPermit', false)
    const api = await startApi()
    const plain = await ask(api, quotePath(LOCAL, { ...good, simulate: 'true' }))
    expect([plain.status, plain.body.error]).toEqual([200, undefined])
    const permit = { permitSignature: signatureEnding('1b'), permitDeadline: '5' }
    await expectRefused(api, { parameters: permit, reason: 'STATION_PAUSED' })
  })

  test('error: value on the same chain, and too little across chains', async () => {
    const api = await startApi()
    const { body: local } = await ask(api, quotePath(LOCAL, good))
    expect(local.transaction.value).toBe('0')
    const call = { address: local.transaction.to, data: local.transaction.data, account: userAt(0) }
    expect(await revertOf(world, 1, { ...call, value: 1n })).toEqual([
      'SameChainOrdersRequireNoValue',
    ])
    const { body: cross } = await ask(api, quotePath(CROSS, good))
    const fee = await messageFee(
      world,
      1,
      await makeQuote(world, 1, { route: routeOf('USDC', 'USDG', 30_416) }),
    )
    expect(BigInt(cross.transaction.value)).toBe(fee + (fee + 9n) / 10n)
    const short = {
      address: cross.transaction.to,
      data: cross.transaction.data,
      account: userAt(0),
      value: fee - 1n,
    }
    expect(await revertOf(world, 1, short)).toEqual(['LZ_InsufficientFee', fee, fee - 1n, 0n, 0n])
  })
})

describe('refused parameters', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi({ world })
  })
  afterAll(() => api.stop())

  test.each(REFUSED_PARAMETERS)('error: %s', async (_, parameters, fields) => {
    await expectRefused(api, { parameters, reason: 'INVALID_FIELD', fields })
  })

  test('error: nothing given', async () => {
    expectRefusal(await ask(api, '/v1/transit/orders/quote'), {
      reason: 'INVALID_FIELD',
      fields: [
        'destinationChainId',
        'offerAmount',
        'offerAsset',
        'sourceChainId',
        'userAddress',
        'wantAsset',
      ],
    })
  })

  test.each([
    ['another source chain', { sourceChainId: '8453' }],
    ['a destination that is none', { destinationChainId: '77' }],
    ['a token that is none', { offerAsset: `0x${'77'.repeat(20)}` }],
  ])('error: %s', async (_, parameters) => {
    await expectRefused(api, { parameters, reason: 'ROUTE_NOT_FOUND' })
  })

  test.each([
    ['encoded', ['to', 'value', 'data']],
    ['default', ['to', 'value', 'data']],
    ['structured', ['to', 'value', 'abi', 'functionName', 'args']],
    ['full', ['to', 'value', 'data', 'abi', 'functionName', 'args']],
  ])(
    'behavior: the format %s has these parts of the transaction and no others',
    async (format, parts) => {
      const { body } = await ask(api, quotePath(LOCAL, { ...good, responseFormat: format }))
      expect(Object.keys(body.transaction)).toEqual(parts)
      if (format !== 'encoded') return
      const { body: unasked } = await ask(api, quotePath(LOCAL, good))
      expect(Object.keys(unasked.transaction)).toEqual(parts)
    },
  )

  test('behavior: a permit with v of 0 or 1 is sent as 27 or 28', async () => {
    for (const [v, sent] of [
      ['00', '27'],
      ['01', '28'],
      ['1b', '27'],
      ['1c', '28'],
    ]) {
      const { body } = await ask(
        api,
        quotePath(LOCAL, {
          ...good,
          permitSignature: signatureEnding(v ?? ''),
          permitDeadline: '5',
          responseFormat: 'structured',
        }),
      )
      expect(body.transaction.functionName).toBe('submitOrderWithPermit')
      expect(body.transaction.args.slice(2)).toEqual([
        '5',
        sent,
        `0x${'11'.repeat(32)}`,
        `0x${'11'.repeat(32)}`,
      ])
    }
  })
})

describe('a route that is limited', () => {
  test('error: above its largest order, below its floor', async () => {
    const { transitRoutes, ...book } = world.addressBook
    const limited = transitRoutes.map((route) => ({
      ...route,
      minOrderSize: '1500000000',
      maxOrderSize: '2000000000',
    }))
    const addressBook = parseAddressBook({ ...book, transitRoutes: limited }, 'limited')
    const api = await startApi({ addressBook })
    const below = await ask(api, quotePath(LOCAL, { ...good, offerAmount: '1499999999' }))
    expect(below.body.error?.message).toBe(
      'Order amount is below the minimum of $1500.00 (1500000000 base units). Please increase your offer amount.',
    )
    await expectRefused(api, {
      parameters: { offerAmount: '1499999999' },
      reason: 'BELOW_MIN_ORDER_SIZE',
      metadata: { asset: DEPLOYMENT.tokens.USDC, minOrderSize: '1500000000' },
    })
    await expectRefused(api, {
      parameters: { offerAmount: '2000000001' },
      reason: 'ABOVE_MAX_ORDER_SIZE',
      metadata: { asset: DEPLOYMENT.tokens.USDC, maxOrderSize: '2000000000' },
    })
    expect((await ask(api, quotePath(LOCAL, good))).status).toBe(200)
  })

  test('error: above its cap of an hour; the share of one caller leaves the others theirs', async () => {
    const { transitRoutes, ...book } = world.addressBook
    const capped = transitRoutes.map((route) => ({
      ...route,
      maxOrderSize: '2000000000',
      hourlyCap: '8000000000',
    }))
    const addressBook = parseAddressBook({ ...book, transitRoutes: capped }, 'capped')
    const api = await startApi({ addressBook })
    expect((await ask(api, quotePath(LOCAL, good))).status).toBe(200)
    await expectRefused(api, {
      parameters: { offerAmount: '1500000000' },
      reason: 'ROUTE_EXHAUSTED',
      metadata: { asset: DEPLOYMENT.tokens.USDC, remaining: '0' },
    })
    const { id: organizationId } = await createOrganization(api.administrator, 'Another')
    const { key } = await createKey(api.administrator, { organizationId })
    const answer = await fetch(`${api.url}${quotePath(LOCAL, good)}`, {
      headers: { 'x-api-key': key },
    })
    expect(answer.status).toBe(200)
  })

  test('error: stopped by an operator, on a running server within 5 s, until the stop ends', async () => {
    const clock = handClock()
    const api = await startApi({ clock })
    const [resolved] = resolvedRoutes(world.addressBook).filter(
      ({ route, offered, wanted }) =>
        [route.sourceChainId, route.destinationChainId].join() === '1,1' &&
        [offered.symbol, wanted.symbol].join() === 'USDC,USDG',
    )
    expect((await ask(api, quotePath(LOCAL, good))).status).toBe(200)
    for (const route of [resolved?.key ?? '', ALL_ROUTES]) {
      await pauseRoute(api.administrator, { route, reason: 'the feed is doubtful' })
      await clock.advance(4_900)
      await expectRefused(api, {
        reason: 'ROUTE_PAUSED',
        metadata: { pausedAt: expect.stringMatching(/Z$/) },
      })
      expect((await ask(api, quotePath(CROSS, good))).status).toBe(route === ALL_ROUTES ? 503 : 200)
      await resumeRoute(api.administrator, route)
      await clock.advance(4_900)
      expect((await ask(api, quotePath(LOCAL, good))).status).toBe(200)
    }
    const audit = await listAudit(api.context.sql, { limit: 4 })
    expect(audit.map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
      ['transit.resume', ALL_ROUTES, 'test'],
      ['transit.pause', ALL_ROUTES, 'test'],
      ['transit.resume', resolved?.key, 'test'],
      ['transit.pause', resolved?.key, 'test'],
    ])
  })

  test('error: a stop that cannot be read counts as one', async () => {
    const api = await startApi()
    await api.context.sql.end({ timeout: 0 })
    await expectRefused(api, { reason: 'DATABASE_UNAVAILABLE' })
  })

  test('behavior: the least that is named is taken, and one less is not', async () => {
    const api = await startApi()
    const { body } = await ask(api, quotePath(LOCAL, { ...good, offerAmount: '1' }))
    const least = BigInt(body.error.details.at(-1)?.metadata?.minOrderSize ?? 0)
    const taken = await ask(
      api,
      quotePath(LOCAL, { ...good, offerAmount: String(least), simulate: 'true' }),
    )
    expect(taken.status).toBe(200)
    expect(
      (await ask(api, quotePath(LOCAL, { ...good, offerAmount: String(least - 1n) }))).status,
    ).toBe(400)
  })
})

describe('simulate', () => {
  const stranger = privateKeyToAddress(generatePrivateKey())

  test('default: balance, approval and message fee are assumed', async () => {
    const api = await startApi()
    for (const offer of ['USDC', 'USDT', 'USDG', 'USDP', 'USDS'] as const) {
      const offerAmount = String(offer === 'USDP' || offer === 'USDS' ? OFFER * 10n ** 12n : OFFER)
      const { status, body } = await ask(
        api,
        quotePath({ ...CROSS, offer }, { userAddress: stranger, offerAmount, simulate: 'true' }),
      )
      expect([offer, status, body.error]).toEqual([offer, 200, undefined])
    }
  })

  test('error: a permit that is none, decoded', async () => {
    const api = await startApi()
    await expectRefused(api, {
      parameters: {
        userAddress: stranger,
        simulate: 'true',
        permitDeadline: '5',
        permitSignature: signatureEnding('1b'),
      },
      reason: 'SIMULATION_FAILED',
      metadata: { error: 'PermitFailedAndAllowanceTooLow', args: '[]' },
    })
  })

  test('behavior: the payer is simulated, and pays; the user receives', async () => {
    await send(world, 1, {
      address: DEPLOYMENT.tokens.USDC,
      account: deployer,
      data: encodeFunctionData({ abi: parseAbi(['function blacklist(address)']), args: [USER] }),
    })
    const api = await startApi()
    const simulate = { userAddress: stranger, simulate: 'true' }
    const unpaid = await ask(api, quotePath(LOCAL, { ...good, ...simulate }))
    expect([unpaid.status, unpaid.body.error]).toEqual([200, undefined])
    await expectRefused(api, {
      parameters: { ...simulate, payerAddress: USER },
      reason: 'SIMULATION_FAILED',
      metadata: { error: 'Error', args: '["TRANSFER_FROM_FAILED"]' },
    })
    await expectRefused(api, {
      parameters: { payerAddress: zeroAddress },
      reason: 'INVALID_FIELD',
      fields: ['payerAddress'],
    })
    const payer = userAt(2).address
    const { body } = await ask(
      api,
      quotePath(LOCAL, {
        ...good,
        userAddress: stranger,
        payerAddress: payer,
        responseFormat: 'full',
      }),
    )
    expect(JSON.stringify(body.transaction.args)).toContain(stranger)
    expect(JSON.stringify(body.transaction.args)).not.toContain(payer)
  })

  test('error: a token that refuses, with its words', async () => {
    await send(world, 1, {
      address: DEPLOYMENT.tokens.USDC,
      account: deployer,
      data: encodeFunctionData({ abi: parseAbi(['function blacklist(address)']), args: [USER] }),
    })
    const api = await startApi()
    await expectRefused(api, {
      parameters: { simulate: 'true' },
      reason: 'SIMULATION_FAILED',
      metadata: { error: 'Error', args: '["TRANSFER_FROM_FAILED"]' },
    })
  })
})

describe('a price that is none', () => {
  const feed = (name: 'native' | 'dollar', answer: bigint, updatedAt: bigint) =>
    send(world, 1, {
      address: DEPLOYMENT.feeds[name],
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
    ['no price at all', 'native', 0n, now],
    ['a price below 0', 'dollar', -1n, now],
  ])('error: %s', async (_, name, answer, updatedAt) => {
    await feed(name, answer, updatedAt)
    const api = await startApi()
    await expectRefused(api, {
      reason: 'PRICE_UNAVAILABLE',
      metadata: expect.objectContaining({ chainId: '1' }),
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
    const api = await startApi()
    await expectRefused(api, {
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
    const inBand = await startApi({ addressBook: parseAddressBook(wants(3_600), 'in band') })
    expect((await ask(inBand, quotePath(LOCAL, good))).status).toBe(200)
    await feed('native', 98_900_000n, now - 100n)
    const off = await startApi({ addressBook: parseAddressBook(wants(3_600), 'off') })
    await expectRefused(off, {
      reason: 'PRICE_OUT_OF_BAND',
      metadata: {
        asset: DEPLOYMENT.tokens.USDG,
        chainId: '1',
        priceUsd: '0.989',
        bandBps: '100',
      },
    })
    const stale = await startApi({ addressBook: parseAddressBook(wants(50), 'stale') })
    await expectRefused(stale, { reason: 'PRICE_UNAVAILABLE' })
  })

  test('default: the execution of an example computed by hand', async () => {
    // 130,000 gas × 3 gwei = 0.00039 ETH × 2,345.67 USD = 0.9148113 USD ÷ 0.999 = 0.915727…
    await feed('native', 234_567_000_000n, now)
    await feed('dollar', 99_900_000n, now)
    const tip = await worldClient(world, 1).estimateMaxPriorityFeePerGas()
    await worldClient(world, 1).setNextBlockBaseFeePerGas({ baseFeePerGas: 3_000_000_000n - tip })
    expect(await worldClient(world, 1).getGasPrice()).toBe(3_000_000_000n)
    const api = await startApi()
    const { body } = await ask(api, quotePath(LOCAL, good))
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

type Body = ErrorBody & {
  orderId: Hex
  expiresAt: string
  destinationPaused: boolean
  transaction: { to: Address; data: Hex; value: string; functionName: string; args: unknown[] }
}

/** A new server, so that nothing is cached from the chain's earlier state. */
const startApi = (options: TestApiOptions = {}) => startFreshApi({ world, ...options })

async function ask(api: TestApi, path: string) {
  const answer = await getJson<Body>(`${api.url}${path}`)
  expect(undescribed(answer.url, answer.status, answer.body)).toEqual([])
  return answer
}

type Wish = Refusal & Pick<QuoteCase, 'ends' | 'parameters'>

async function expectRefused(api: TestApi, { ends = LOCAL, parameters, ...refusal }: Wish) {
  expectRefusal(await ask(api, quotePath(ends, { ...good, ...parameters })), refusal)
}
