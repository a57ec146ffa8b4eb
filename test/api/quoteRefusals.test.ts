import { encodeFunctionData, pad, parseAbi, zeroAddress, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { makeQuote, messageFee, signQuote, submitCall } from '../devnet/orders.ts'
import { revertOf } from '../devnet/revertOf.ts'
import { deployer, send, startStationWorld } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApi, type TestApiOptions } from '../support/api.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { getJson } from '../support/getJson.ts'
import { quotePath } from '../support/quotes.ts'
import { expectRefusal } from '../support/refusal.ts'
import { revertChains } from '../support/revertChains.ts'
import { askQuote, expectQuoteRefused, good, LOCAL, OFFER } from './askQuote.ts'
import {
  asOwner,
  CROSS,
  QUOTE_CASES,
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
type Route = Record<'sourceChainId' | 'destinationChainId', number> & { reasons: unknown[] }

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
    await expectQuoteRefused(api, wish)
    const quote = await makeQuote(world, 1, { offerAmount: OFFER, ...forced })
    const { signature } = await signQuote(1, quote)
    // A station that cannot send reports no fee either, so the submission must show the reason.
    const fee = await messageFee(world, 1, quote).catch(() => 0n)
    expect(await revertOf(world, 1, submitCall(quote, signature, fee))).toEqual(reverts)
  })

  test('behavior: without the fault there is a quote, which the chain takes', async () => {
    const api = await startApi()
    for (const ends of [LOCAL, CROSS]) {
      const { status, body } = await askQuote(api, quotePath(ends, { ...good, simulate: 'true' }))
      expect([status, body.error]).toEqual([200, undefined])
      const { to, data, value } = body.transaction
      await send(world, 1, { address: to, data, value: BigInt(value), account: userAt(0) })
    }
  })

  test('error: a quote that is sent twice is refused by the chain alone; two quotes never are one', async () => {
    const api = await startApi()
    const { body: first } = await askQuote(api, quotePath(LOCAL, good))
    const { body: second } = await askQuote(api, quotePath(LOCAL, good))
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
    const { body } = await askQuote(api, quotePath(LOCAL, good))
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
    const { body } = await askQuote(api, quotePath(LOCAL, good))
    expect(Date.parse(body.expiresAt) / 1_000).toBeGreaterThanOrEqual(Number(timestamp) + 600)
    await send(world, 1, {
      address: body.transaction.to,
      data: body.transaction.data,
      account: userAt(0),
    })
  })

  test('behavior: a destination that is paused is shown, and the quote is made', async () => {
    const api = await startApi()
    expect((await askQuote(api, quotePath(CROSS, good))).body.destinationPaused).toBe(false)
    await send(world, 4663, {
      address: DEPLOYMENT.station,
      account: deployer,
      data: encodeFunctionData({ abi: parseAbi(['function pause()']) }),
    })
    const later = await startApi()
    const { status, body } = await askQuote(later, quotePath(CROSS, good))
    expect([status, body.destinationPaused]).toEqual([200, true])
    expect((await askQuote(later, quotePath(LOCAL, good))).body.destinationPaused).toBe(false)
  })

  test('error: a peer that is removed while its station is cached is reported by quoteSend', async () => {
    const api = await startApi()
    expect((await askQuote(api, quotePath(CROSS, good))).status).toBe(200)
    await asOwner(world, 'function setPeer(uint32, bytes32)', 30_416, zeroHash)
    await expectQuoteRefused(api, { ends: CROSS, reason: 'STATION_NOT_CONNECTED' })
  })

  test.each([
    ['no peer', zeroHash],
    ['another peer', pad(USER)],
  ])('error: %s at the destination: what is sent would never arrive', async (_, peer) => {
    await send(world, 4663, {
      address: DEPLOYMENT.station,
      account: deployer,
      data: encodeFunctionData({
        abi: parseAbi(['function setPeer(uint32 eid, bytes32 peer)']),
        args: [30_101, peer],
      }),
    })
    const api = await startApi()
    const metadata = { chainId: '4663' }
    await expectQuoteRefused(api, { ends: CROSS, reason: 'STATION_NOT_CONNECTED', metadata })
    const { body } = await getJson<{ transitRoutes: Route[] }>(
      `${api.url}/v1/core/capabilities?pageSize=100`,
    )
    const crossing = body.transitRoutes.filter(
      ({ sourceChainId, destinationChainId }) => sourceChainId === 1 && destinationChainId === 4663,
    )
    expect(crossing.length).toBeGreaterThan(0)
    for (const { reasons } of crossing)
      expect(reasons).toMatchObject([{ reason: 'STATION_NOT_CONNECTED', metadata }])
    expect((await askQuote(api, quotePath(LOCAL, good))).status).toBe(200)
  })

  test('behavior: where permits alone are not public, a quote without one is made', async () => {
    await setPublic(world, 'submitOrderWithPermit', false)
    const api = await startApi()
    const plain = await askQuote(api, quotePath(LOCAL, { ...good, simulate: 'true' }))
    expect([plain.status, plain.body.error]).toEqual([200, undefined])
    const permit = { permitSignature: signatureEnding('1b'), permitDeadline: '5' }
    await expectQuoteRefused(api, { parameters: permit, reason: 'STATION_PAUSED' })
  })

  test('error: value on the same chain, and too little across chains', async () => {
    const api = await startApi()
    const { body: local } = await askQuote(api, quotePath(LOCAL, good))
    expect(local.transaction.value).toBe('0')
    const call = { address: local.transaction.to, data: local.transaction.data, account: userAt(0) }
    expect(await revertOf(world, 1, { ...call, value: 1n })).toEqual([
      'SameChainOrdersRequireNoValue',
    ])
    const { body: cross } = await askQuote(api, quotePath(CROSS, good))
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
    await expectQuoteRefused(api, { parameters, reason: 'INVALID_FIELD', fields })
  })

  test('error: nothing given', async () => {
    expectRefusal(await askQuote(api, '/v1/transit/orders/quote'), {
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

  test.each([['a token that is none', { offerAsset: `0x${'77'.repeat(20)}` }]])(
    'error: %s',
    async (_, parameters) => {
      await expectQuoteRefused(api, { parameters, reason: 'ROUTE_NOT_FOUND' })
    },
  )

  test.each([
    ['source', { sourceChainId: '77' }],
    ['destination', { destinationChainId: '77' }],
  ])('error: a %s that is no chain of this service', async (_, parameters) => {
    const metadata = { chainId: '77' }
    await expectQuoteRefused(api, { parameters, reason: 'CHAIN_NOT_FOUND', metadata })
  })

  test.each([
    ['encoded', ['to', 'value', 'data']],
    ['default', ['to', 'value', 'data']],
    ['structured', ['to', 'value', 'abi', 'functionName', 'args']],
    ['full', ['to', 'value', 'data', 'abi', 'functionName', 'args']],
  ])(
    'behavior: the format %s has these parts of the transaction and no others',
    async (format, parts) => {
      const { body } = await askQuote(api, quotePath(LOCAL, { ...good, responseFormat: format }))
      expect(Object.keys(body.transaction)).toEqual(parts)
      if (format !== 'encoded') return
      const { body: unasked } = await askQuote(api, quotePath(LOCAL, good))
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
      const { body } = await askQuote(
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

describe('simulate', () => {
  const stranger = privateKeyToAddress(generatePrivateKey())

  test('default: balance, approval and message fee are assumed', async () => {
    const api = await startApi()
    for (const offer of ['USDC', 'USDT', 'USDG', 'USDP', 'USDS'] as const) {
      const offerAmount = String(offer === 'USDP' || offer === 'USDS' ? OFFER * 10n ** 12n : OFFER)
      const { status, body } = await askQuote(
        api,
        quotePath({ ...CROSS, offer }, { userAddress: stranger, offerAmount, simulate: 'true' }),
      )
      expect([offer, status, body.error]).toEqual([offer, 200, undefined])
    }
  })

  test('behavior: a token whose balances cannot be assumed is a warning, and no refusal', async () => {
    // Answers 0 to every question, wherever a balance is assumed.
    const bytecode = '0x60206000f3'
    await worldClient(world, 1).setCode({ address: DEPLOYMENT.tokens.USDC, bytecode })
    const api = await startApi()
    const path = quotePath(CROSS, { ...good, userAddress: stranger, simulate: 'true' })
    const { status, body } = await askQuote(api, path)
    expect([status, body.error]).toEqual([200, undefined])
    expect(body).toMatchObject({
      warnings: [{ reason: 'SIMULATION_UNAVAILABLE', message: expect.stringMatching(/^Not simu/) }],
    })
    const other = await askQuote(api, quotePath(CROSS, { ...good, userAddress: stranger }))
    expect([other.status, Object.keys(other.body).includes('warnings')]).toEqual([200, false])
  })

  test('error: a permit that is none, decoded', async () => {
    const api = await startApi()
    await expectQuoteRefused(api, {
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
    const unpaid = await askQuote(api, quotePath(LOCAL, { ...good, ...simulate }))
    expect([unpaid.status, unpaid.body.error]).toEqual([200, undefined])
    await expectQuoteRefused(api, {
      parameters: { ...simulate, payerAddress: USER },
      reason: 'SIMULATION_FAILED',
      metadata: { error: 'Error', args: '["TRANSFER_FROM_FAILED"]' },
    })
    await expectQuoteRefused(api, {
      parameters: { payerAddress: zeroAddress },
      reason: 'INVALID_FIELD',
      fields: ['payerAddress'],
    })
    const payer = userAt(2).address
    const { body } = await askQuote(
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
    await expectQuoteRefused(api, {
      parameters: { simulate: 'true' },
      reason: 'SIMULATION_FAILED',
      metadata: { error: 'Error', args: '["TRANSFER_FROM_FAILED"]' },
    })
  })
})

/** A new server, so that nothing is cached from the chain's earlier state. */
const startApi = (options: TestApiOptions = {}) => startFreshApi({ world, ...options })
