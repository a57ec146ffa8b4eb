import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DEVNET_ACTORS, DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { listAudit } from '../../domain/access/audit.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization, setOrganization } from '../../domain/access/organizations.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { resolvedRoutes } from '../../domain/transit/routes/resolvedRoutes.ts'
import { ALL_ROUTES } from '../../domain/transit/signing/routePauses.ts'
import type { TransitQuote } from '../../domain/transit/terms/quoteTypedData.ts'
import type { TransitChain } from '../../domain/transit/transitChains.ts'
import { makeQuote } from '../devnet/orders.ts'
import { startStationWorld, station } from '../devnet/stationWorld.ts'
import { startTestApi, type TestApiOptions } from '../support/api.ts'
import { ask } from '../support/ask.ts'
import { startFaultyNode } from '../support/faultyNode.ts'
import { startFreshApi } from '../support/freshApi.ts'
import { handClock } from '../support/handClock.ts'
import { lower } from '../support/lower.ts'
import { quotePath } from '../support/quotes.ts'
import { expectRefusal } from '../support/refusal.ts'
import { askQuote, expectQuoteRefused, good, LOCAL } from './askQuote.ts'
import { CROSS } from './quoteCases.ts'

const CODE = `0x${'c0de'.repeat(16)}`
const PATH = quotePath(
  { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
  {
    userAddress: DEVNET_USERS[0]?.address ?? '',
    offerAmount: '2000000000',
    responseFormat: 'structured',
  },
)

let world: Awaited<ReturnType<typeof startStationWorld>>
beforeAll(async () => {
  world = await startStationWorld()
})
afterAll(() => world?.stop())

describe('the quote signer', () => {
  test('error: one that the station does not take: 503, and the log names station and both signers', async () => {
    const key = generatePrivateKey()
    const { ask, logged } = await startApi({ quoteSignerKey: key })
    expect(await ask()).toEqual([503, 'QUOTE_SIGNER_UNAVAILABLE'])
    const said = logged().toLowerCase()
    for (const words of [
      DEPLOYMENT.station,
      DEVNET_ACTORS.quoteSigner.address,
      privateKeyToAddress(key),
      'chain 1',
    ])
      expect(said).toContain(words.toLowerCase())
    expect(said).not.toContain(key.slice(2))
  })

  test('error: none at all', async () => {
    const { ask, logged } = await startApi({ quoteSignerKey: null })
    expect(await ask()).toEqual([503, 'QUOTE_SIGNER_UNAVAILABLE'])
    expect(logged()).toContain('not configured')
  })

  test('behavior: the server starts without any node, and quotes when one comes', async () => {
    const proxy = await startFaultyNode({
      rpcUrl: world.rpcUrls[1] ?? '',
      wsUrl: (world.rpcUrls[1] ?? '').replace('http', 'ws'),
      other: { rpcUrl: '', wsUrl: '' },
    })
    onTestFinished(proxy.stop)
    await proxy.fall('errors')
    const { ask } = await startApi({ rpcUrls: { 1: [proxy.rpcUrl] } })
    expect(await ask()).toEqual([503, 'RPC_UNAVAILABLE'])
    await proxy.fall('well')
    await expect.poll(() => ask(), { interval: 100 }).toEqual([200, null])
  })

  test('error: a node whose newest block is old prepares nothing, where that is not usual', async () => {
    const chains = world.addressBook.chains.map((chain) => ({ ...chain, maxHeadAgeSeconds: 1 }))
    const addressBook = parseAddressBook({ ...world.addressBook, chains }, 'impatient')
    await sleep(2_500)
    const { ask } = await startApi({ addressBook })
    expect(await ask()).toEqual([503, 'RPC_UNAVAILABLE'])
    const { ask: askPatient } = await startApi()
    expect(await askPatient()).toEqual([200, null])
  })
})

describe('the signing policy', () => {
  test('default: signs what the server would quote; error: nothing else, whoever asks', async () => {
    const { api } = await startApi()
    const { quoteSigner } = api.context
    if (!quoteSigner) throw new Error('the test server has a signer')
    const source = { chainId: 1, station }
    const quote = await makeQuote(world, 1, {
      offerAmount: 2_000_000_000n,
      protocolFee: 5_000_000n,
      deadline: BigInt(Math.floor(Date.now() / 1_000) + 600),
    })
    const lowered = {
      ...quote,
      route: {
        ...quote.route,
        offerAsset: lower(quote.route.offerAsset),
        wantAsset: lower(quote.route.wantAsset),
      },
    }
    const at = { ...source, station: lower(station) }
    const principal = { clientAddress: '127.0.0.1' }
    expect(await quoteSigner.sign(lowered, at, principal)).toMatch(/^0x[0-9a-f]{130}$/)
    const wrong: [string, TransitQuote, TransitChain][] = [
      ['no such route', { ...lowered, route: { ...lowered.route, destEID: 7 } }, at],
      ['no such route', lowered, { ...at, station: `0x${'77'.repeat(20)}` }],
      ['the protocol fee is less', { ...lowered, protocolFee: 0n }, at],
      ['the protocol fee is less', { ...lowered, offerAmount: 2n ** 200n }, at],
      ['its deadline is too late', { ...lowered, deadline: lowered.deadline + 86_400n }, at],
    ]
    for (const [fault, terms, where] of wrong)
      await expect(quoteSigner.sign(terms, where, principal)).rejects.toThrow(fault)
  })
})

describe('a route that is limited', () => {
  const wanted = (wantAmount: string) =>
    quotePath(LOCAL, { userAddress: good.userAddress, wantAmount })

  test('error: above its largest order, below its floor', async () => {
    const { transitRoutes, ...book } = world.addressBook
    const limited = transitRoutes.map((route) => ({
      ...route,
      minOrderSize: '1500000000',
      maxOrderSize: '2000000000',
    }))
    const addressBook = parseAddressBook({ ...book, transitRoutes: limited }, 'limited')
    const api = await startFreshApi({ world, addressBook })
    const below = await askQuote(api, quotePath(LOCAL, { ...good, offerAmount: '1499999999' }))
    expect(below.body.error?.message).toBe(
      'Order amount is below the minimum of $1500.00 (1500000000 base units). Please increase your offer amount.',
    )
    await expectQuoteRefused(api, {
      parameters: { offerAmount: '1499999999' },
      reason: 'BELOW_MIN_ORDER_SIZE',
      metadata: { asset: DEPLOYMENT.tokens.USDC, minOrderSize: '1500000000' },
    })
    await expectQuoteRefused(api, {
      parameters: { offerAmount: '2000000001' },
      reason: 'ABOVE_MAX_ORDER_SIZE',
      metadata: { asset: DEPLOYMENT.tokens.USDC, maxOrderSize: '2000000000' },
    })
    for (const [wantAmount, reason] of [
      ['1490000000', 'BELOW_MIN_ORDER_SIZE'],
      ['1999999999', 'ABOVE_MAX_ORDER_SIZE'],
    ] as const)
      expectRefusal(await askQuote(api, wanted(wantAmount)), { reason, fields: ['wantAmount'] })
    expect((await askQuote(api, wanted('1990000000'))).status).toBe(200)
    expect((await askQuote(api, quotePath(LOCAL, good))).status).toBe(200)
  })

  test('error: above its cap of an hour; the share of one caller leaves the others theirs', async () => {
    const { transitRoutes, ...book } = world.addressBook
    const capped = transitRoutes.map((route) => ({
      ...route,
      maxOrderSize: '2000000000',
      hourlyCap: '8000000000',
    }))
    const addressBook = parseAddressBook({ ...book, transitRoutes: capped }, 'capped')
    const api = await startFreshApi({ world, addressBook })
    expect((await askQuote(api, quotePath(LOCAL, good))).status).toBe(200)
    await expectQuoteRefused(api, {
      parameters: { offerAmount: '1500000000' },
      reason: 'ROUTE_EXHAUSTED',
      metadata: { asset: DEPLOYMENT.tokens.USDC, remaining: '0' },
    })
    expectRefusal(await askQuote(api, wanted('1600000000')), { reason: 'ROUTE_EXHAUSTED' })
    const { id: organizationId } = await createOrganization(api.administrator, 'Another')
    const { key } = await createKey(api.administrator, { organizationId })
    const answer = await fetch(`${api.url}${quotePath(LOCAL, good)}`, {
      headers: { 'x-api-key': key },
    })
    expect(answer.status).toBe(200)
  })

  test('error: stopped by an operator, on a running server within 5 s, until the stop ends', async () => {
    const clock = handClock()
    const api = await startFreshApi({ world, clock })
    const [resolved] = resolvedRoutes(world.addressBook).filter(
      ({ route, offered, wanted }) =>
        [route.sourceChainId, route.destinationChainId].join() === '1,1' &&
        [offered.symbol, wanted.symbol].join() === 'USDC,USDG',
    )
    expect((await askQuote(api, quotePath(LOCAL, good))).status).toBe(200)
    if (!resolved) throw new Error('the world has this route')
    const { sourceChainId, offerAsset, destinationChainId, wantAsset } = resolved.route
    const ends = { sourceChainId, offerAsset, destinationChainId, wantAsset }
    const operate = async (what: string, body: object) => {
      const answer = await ask(`${api.url}/v1/admin/transitRoutes/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(200)
    }
    for (const [route, named] of [
      [resolved.key, ends],
      [ALL_ROUTES, {}],
    ] as const) {
      await operate('stop', { ...named, reason: 'the feed is doubtful' })
      clock.advance(4_900)
      await expectQuoteRefused(api, {
        reason: 'ROUTE_PAUSED',
        metadata: { pausedAt: expect.stringMatching(/Z$/) },
      })
      expect((await askQuote(api, quotePath(CROSS, good))).status).toBe(
        route === ALL_ROUTES ? 503 : 200,
      )
      await operate('open', named)
      clock.advance(4_900)
      expect((await askQuote(api, quotePath(LOCAL, good))).status).toBe(200)
    }
    const audit = await listAudit(api.context.sql, { limit: 4 })
    expect(audit.map(({ action, subject }) => [action, subject])).toEqual([
      ['transit.resume', ALL_ROUTES],
      ['transit.pause', ALL_ROUTES],
      ['transit.resume', resolved.key],
      ['transit.pause', resolved.key],
    ])
    expect(audit.every(({ actor }) => actor.startsWith('key:'))).toBe(true)
  })

  test('error: a stop that cannot be read counts as one', async () => {
    const api = await startFreshApi({ world })
    await api.context.sql.end({ timeout: 0 })
    await expectQuoteRefused(api, { reason: 'DATABASE_UNAVAILABLE' })
  })

  test('behavior: the least that is named is taken, and one less is not', async () => {
    const api = await startFreshApi({ world })
    const { body } = await askQuote(api, quotePath(LOCAL, { ...good, offerAmount: '1' }))
    const least = BigInt(body.error.details.at(-1)?.metadata?.minOrderSize ?? 0)
    const taken = await askQuote(
      api,
      quotePath(LOCAL, { ...good, offerAmount: String(least), simulate: 'true' }),
    )
    expect(taken.status).toBe(200)
    expect(
      (await askQuote(api, quotePath(LOCAL, { ...good, offerAmount: String(least - 1n) }))).status,
    ).toBe(400)
  })
})

describe('the distributor code', () => {
  test("behavior: the caller's own, else the organization's, else none", async () => {
    const { api, args } = await startApi()
    const { id } = await createOrganization(api.administrator, 'With a code')
    await api.context.sql`
      update app.organization set default_distributor_code = ${CODE} where id = ${id}`
    const { key } = await createKey(api.administrator, { organizationId: id })
    const { id: plain } = await createOrganization(api.administrator, 'Without')
    const { key: plainKey } = await createKey(api.administrator, { organizationId: plain })
    const none = `0x${'00'.repeat(32)}`
    expect(await args({})).toMatchObject({ distributorCode: none })
    expect(await args({ 'x-api-key': plainKey })).toMatchObject({ distributorCode: none })
    expect(await args({ 'x-api-key': key })).toMatchObject({ distributorCode: CODE })
    const { id: brief } = await createOrganization(api.administrator, 'With a short one')
    await setOrganization(api.administrator, brief, { defaultDistributorCode: '0x616263' })
    const { key: briefKey } = await createKey(api.administrator, { organizationId: brief })
    expect(await args({ 'x-api-key': briefKey })).toMatchObject({
      distributorCode: `0x616263${'00'.repeat(29)}`,
    })
    const own = `0x${'ab'.repeat(32)}`
    expect(await args({ 'x-api-key': key }, `&distributorCode=${own}`)).toMatchObject({
      distributorCode: own,
    })
  })
})

async function startApi(options: TestApiOptions = {}) {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const api = await startTestApi({ world, logger, ...options })
  onTestFinished(() => api.stop())
  return {
    api,
    logged: () => lines.join(''),
    async ask(): Promise<[number, string | null]> {
      const response = await fetch(`${api.url}${PATH}`)
      const body = (await response.json()) as { error?: { details: { reason?: string }[] } }
      return [response.status, body.error?.details.at(-1)?.reason ?? null]
    },
    async args(headers: Record<string, string>, more = '') {
      const response = await fetch(`${api.url}${PATH}${more}`, { headers })
      const body = (await response.json()) as { transaction: { args: [object] } }
      return body.transaction.args[0]
    },
  }
}
