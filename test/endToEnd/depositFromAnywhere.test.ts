import { randomBytes } from 'node:crypto'
import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { executeOrders } from '../../devnet/executeOrders.ts'
import { VAULT_CHAINS, vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { worldClient } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf } from '../support/ask.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import type { ErrorBody } from '../support/refusal.ts'
import { sdkWallets } from '../support/sdkWallets.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts'
import { testFromAnywherePage } from './fromAnywherePage.ts'

/** A user of Robinhood Chain who deposits into a vault on Ethereum with one transaction. Every process is real. */

const USER = userAt(4)
const AMOUNT = 250_000_000n
const { USDG } = DEPLOYMENT.tokens
const { vault, current } = vaultDeployment('Harbor Dollar', 1)
const ORACLE =
  VAULT_CHAINS.find(({ chainId }) => chainId === 1)?.smartDeposit.sanctionsOracle ?? '0x'
const FINALITY_BLOCKS = 70
/** The largest amount of a token. */
const MOST = 2n ** 256n - 1n

type Prepared = {
  transaction: { to: Address; value: string; data: Hex; encoded?: string }
  preview: { expectedShares: string; minimumShares: string; exchangeRateToBase: string }
  journey: {
    id: Hex
    smartDepositAddress: Address
    offerAmount: string
    amountOut: string
    fees: Record<string, { amount: string; asset: Address }>
  }
}
type Figures = Record<string, unknown>
type Quoted = Figures & { expectedBy: string | null; destinationPaused: boolean }
type Shown = {
  journey: {
    id: Hex
    status: string
    order: { status: string }
    smartDeposit?: { mintedAmount?: string; receivedAmount: string }
    timeline: { leg: string; step: string }[]
    expectedShares: string | null
  }
}

let database: TestDatabase
let product: TestProduct
let worker: WorkerProcess

beforeAll(async () => {
  database = await createTestDatabase()
  const variables = { SECRETS_KEY: randomBytes(32).toString('hex') }
  product = await startTestProduct({
    databaseUrl: database.url,
    withVaults: true,
    withConsole: true,
    variables,
  })
  worker = startWorkerProcess({
    databaseUrl: database.url,
    addressBook: product.indexer.addressBook,
    rpcUrls: product.world.rpcUrls,
    appSecret: randomBytes(32).toString('hex'),
    variables,
  })
  await authorize()
})
afterAll(async () => {
  await worker?.stop()
  await product?.stop()
  await database?.drop()
})

/** Approves what the answer for the station says, for all orders of this file. */
async function authorize() {
  const query = new URLSearchParams({
    vaultAddress: vault,
    tokenAddress: USDG,
    amount: String(10n * AMOUNT),
    userAddress: USER.address,
    chainId: '1',
    sourceChainId: '4663',
    sourceAsset: USDG,
    prefer: 'approval',
  })
  type Answer = { spenderAddress: Address; approvalTransaction: { encoded: Hex } }
  const { body } = await getJson<Answer>(`${product.url}/v2/core/authorization?${query}`)
  expect(body.spenderAddress).toBe(getAddress(DEPLOYMENT.station))
  const data = body.approvalTransaction.encoded
  await sendCall(product.world, 4663, { account: USER, address: USDG, data })
}

const prepare = (params: Record<string, string> = {}) => ask<Prepared>('deposit', params)

/** Prepares or quotes the deposit of this file, with these changes. */
function ask<Answer>(path: 'deposit' | 'journeys/quote', params: Record<string, string>) {
  const query = new URLSearchParams({
    vaultAddress: vault,
    depositAsset: USDG,
    userAddress: USER.address,
    chainId: '1',
    sourceChainId: '4663',
    sourceAsset: USDG,
    ...(params.wantShares ? {} : { depositAmount: String(AMOUNT) }),
    ...params,
  })
  return getJson<Answer>(`${product.url}/v2/earn/${path}?${query}`)
}

async function send({ transaction }: Prepared) {
  const { to, value, data } = transaction
  const { world } = product
  const receipt = await sendCall(world, 4663, {
    account: USER,
    address: to,
    data,
    value: BigInt(value),
  })
  expect(receipt.status).toBe('success')
}

const journeyUrl = (id: string) => `${product.url}/v2/earn/journeys/${id}`
const statusOf = async (id: string) => (await getJson<Shown>(journeyUrl(id))).body.journey?.status
const target = (orderId: Hex) => ({ orderId, from: 4663, to: 1, want: 'USDG' as const })
const shares = () =>
  worldClient(product.world, 1).readContract({
    address: vault,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [USER.address],
  })

describe('a deposit from another chain', () => {
  test('default: one transaction, from the source chain to final shares', async () => {
    const { status, body, url } = await prepare({ simulate: 'true' })
    expect([status, status === 200 || body]).toEqual([200, true])
    expect(undescribed(url, status, body)).toEqual([])
    const { journey, preview } = body
    expect(journey.fees.transit?.asset).toBe(getAddress(USDG))
    expect(BigInt(journey.amountOut) + BigInt(journey.fees.transit?.amount ?? 0)).toBe(AMOUNT)
    expect((await getJson(journeyUrl(journey.id))).reason).toBe('JOURNEY_NOT_FOUND')

    const before = await shares()
    await send(body)
    await expect.poll(() => statusOf(journey.id)).toBe('SENT')
    const { body: sent } = await getJson<Shown>(journeyUrl(journey.id))
    expect(sent.journey.expectedShares).toBe(preview.expectedShares)
    await ORDER_STEPS.deliver(product.world, target(journey.id))
    await expect.poll(() => statusOf(journey.id)).toBe('BRIDGED')
    await ORDER_STEPS.execute(product.world, target(journey.id))
    await expect.poll(() => statusOf(journey.id), { timeout: 60_000 }).toBe('DEPOSITED')
    const minted = (await shares()) - before
    expect(minted).toBeGreaterThanOrEqual(BigInt(preview.minimumShares))

    await worldClient(product.world, 1).mine({ blocks: FINALITY_BLOCKS })
    await expect.poll(() => statusOf(journey.id), { timeout: 60_000 }).toBe('FINALIZED')
    const shown = await getJson<Shown>(journeyUrl(journey.id))
    expect(undescribed(shown.url, shown.status, shown.body)).toEqual([])
    expect(shown.body.journey).toMatchObject({
      id: journey.id,
      expectedShares: String(minted),
      smartDeposit: { mintedAmount: String(minted), receivedAmount: journey.amountOut },
    })
    expect(shown.body.journey.timeline.map(({ leg, step }) => `${leg} ${step}`)).toEqual([
      'TRANSIT SUBMITTED',
      'TRANSIT BRIDGED',
      'TRANSIT RECEIVED',
      'TRANSIT EXECUTED',
      'TRANSIT PROCESSED',
      'DEPOSIT PENDING',
      'DEPOSIT CONFIRMED',
      'DEPOSIT FINALIZED',
    ])
    const list = await getJson<{ journeys: Shown['journey'][] }>(
      `${product.url}/v2/earn/journeys?userAddress=${USER.address}&filter=${encodeURIComponent('chainId = 1')}`,
    )
    expect(undescribed(list.url, list.status, list.body)).toEqual([])
    expect(list.body.journeys).toMatchObject([{ id: journey.id, status: 'FINALIZED' }])
  })

  test('behavior: a held request is answered by a step of either leg', async () => {
    const { body } = await prepare()
    await send(body)
    const { id } = body.journey
    await expect.poll(() => statusOf(id)).toBe('SENT')
    await ORDER_STEPS.deliver(product.world, target(id))
    await ORDER_STEPS.execute(product.world, target(id))
    let etag = ''
    const seen = new Set<string>()
    while (!seen.has('DEPOSITED')) {
      const { headers, status, body } = await getJson<Shown>(`${journeyUrl(id)}?waitSeconds=20`, {
        ...(etag ? { 'if-none-match': etag } : {}),
      })
      etag = headers.get('etag') ?? etag
      if (status === 200) seen.add(body.journey.status)
    }
    expect(seen.size).toBeGreaterThan(1)
  })

  test('behavior: the client: one transaction, and the shares that were wanted', async () => {
    const { url, shield } = product
    const causeway = createCausewayClient({ url, apiKey: keyOf(url) ?? '', shield })
    const user = userAt(6)
    const client = worldClient(product.world, 4663)
    const nonce = () => client.getTransactionCount({ address: user.address })
    const before = await nonce()
    const wantShares = 120_000_000n
    const stored: string[] = []
    const { id } = await causeway.earn.depositFrom({
      ...sdkWallets(product.world, user, 4663),
      from: { chainId: 4663, asset: USDG },
      chainId: 1,
      vaultAddress: vault,
      depositAsset: USDG,
      wantShares,
      maxDepositAmount: 130_000_000n,
      minimumAmountOut: 119_000_000n,
      onJourney: (journey) => void stored.push(journey.id),
    })
    // A permit needs no transaction of its own.
    expect((await nonce()) - before).toBe(1)
    expect(stored).toEqual([id])
    await causeway.transit.wait(id, { until: 'SUBMITTED' })
    await ORDER_STEPS.deliver(product.world, target(id))
    await ORDER_STEPS.execute(product.world, target(id))
    const { smartDeposit } = await causeway.earn.waitForJourney(id)
    expect(smartDeposit?.mintedAmount).toBeGreaterThanOrEqual(wantShares)
  })

  testFromAnywherePage(() => product)

  test('behavior: by the shares that are wanted', async () => {
    const wantShares = 100_000_000n
    const { body } = await prepare({ wantShares: String(wantShares) })
    const { expectedShares } = body.preview
    expect(BigInt(expectedShares)).toBeGreaterThanOrEqual(wantShares)
    expect(BigInt(expectedShares)).toBeLessThan(wantShares + 1_000n)
  })

  test('default: a quote has the figures of the deposit that is prepared, and registers nothing', async () => {
    const customerId = randomBytes(8).toString('hex')
    const registered = async () => {
      const query = new URLSearchParams({ filter: `customerId = ${customerId}` })
      const url = `${product.url}/v2/earn/smartDepositAddresses?${query}`
      const { body } = await getJson<{ smartDepositAddresses: unknown[] }>(url)
      return body.smartDepositAddresses.length
    }
    for (const wanted of [{ depositAmount: String(AMOUNT) }, { wantShares: '100000000' }]) {
      const quoted = await ask<Quoted>('journeys/quote', { customerId, ...wanted })
      expect([wanted, quoted.status, await registered()]).toEqual([wanted, 200, 0])
      const { expectedBy, destinationPaused, ...figures } = quoted.body
      expect(destinationPaused).toBe(false)
      const { body } = await prepare({ customerId: randomBytes(8).toString('hex'), ...wanted })
      const { offerAmount, amountOut, fees } = body.journey
      const { expectedShares, minimumShares, exchangeRateToBase } = body.preview
      expect(figures).toEqual({
        offerAmount,
        amountOut,
        fees,
        expectedShares,
        minimumShares,
        exchangeRateToBase,
      })
    }
  })

  test('error: a quote of a plain deposit, of wrong amounts, of no route, and of a paused vault', async () => {
    const refused = async (given: Record<string, string>) => {
      const { status, reason, body } = await ask('journeys/quote', given)
      return [status, reason, fieldsOf(body)]
    }
    expect(await refused({ sourceChainId: '1', depositAmount: '0' })).toEqual([
      400,
      'INVALID_FIELD',
      ['depositAmount', 'sourceAsset'],
    ])
    const tooSmall = [400, 'BELOW_MIN_ORDER_SIZE', ['depositAmount']]
    expect(await refused({ depositAmount: '1' })).toEqual(tooSmall)
    const both = { wantShares: '5', depositAmount: '5' }
    expect(await refused(both)).toEqual([400, 'INVALID_FIELD', ['wantShares']])
    expect(await refused({ depositAsset: vault })).toEqual([404, 'ROUTE_NOT_FOUND', []])
    await turnTeller('pause')
    try {
      expect(await refused({})).toEqual([503, 'VAULT_PAUSED', []])
    } finally {
      await turnTeller('unpause')
    }
  })

  test('behavior: two equal orders that one transaction executes, beside a payment that no order made', async () => {
    const orders = await Promise.all([prepare(), prepare()])
    const journeys = orders.map(({ body }) => body.journey)
    for (const { body } of orders) {
      await send(body)
      await expect.poll(() => statusOf(body.journey.id)).toBe('SENT')
      await ORDER_STEPS.deliver(product.world, target(body.journey.id))
    }
    const address = journeys[0]?.smartDepositAddress ?? '0x'
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [address, AMOUNT],
    })
    await sendCall(product.world, 1, { account: USER, address: USDG, data: transfer })
    const client = worldClient(product.world, 1)
    const { status } = await executeOrders(
      client,
      DEPLOYMENT.station,
      journeys.map(({ id, amountOut }) => ({
        orderId: id,
        wantAsset: USDG,
        amount: BigInt(amountOut),
      })),
    )
    expect(status).toBe('success')
    const deposits = async () =>
      Promise.all(
        journeys.map(async ({ id }) => {
          const { body } = await getJson<{ journey: { smartDeposits: { depositId: Hex }[] } }>(
            journeyUrl(id),
          )
          return body.journey.smartDeposits.map(({ depositId }) => depositId)
        }),
      )
    await expect.poll(async () => (await deposits()).map((ids) => ids.length)).toEqual([1, 1])
    expect(new Set((await deposits()).flat()).size).toBe(2)
    for (const { id } of journeys)
      await expect.poll(() => statusOf(id), { timeout: 60_000 }).toBe('DEPOSITED')
    const all = `${product.url}/v2/earn/smartDeposits?filter=${encodeURIComponent(`smartDepositAddress = ${address}`)}`
    type Deposits = { smartDeposits: { depositId: Hex; receivedAmount: string }[] }
    const { body } = await getJson<Deposits>(all)
    const own = new Set((await deposits()).flat())
    const others = body.smartDeposits.filter(({ depositId }) => !own.has(depositId))
    expect(others.map(({ receivedAmount }) => receivedAmount)).toContain(String(AMOUNT))
  })

  test('behavior: a vault that is paused on arrival: retained, and deposited once it is open', async () => {
    const { body } = await prepare()
    await send(body)
    const { id } = body.journey
    await expect.poll(() => statusOf(id)).toBe('SENT')
    await ORDER_STEPS.deliver(product.world, target(id))
    await turnTeller('pause')
    let isPaused = true
    try {
      await ORDER_STEPS.execute(product.world, target(id))
      await expect.poll(() => statusOf(id), { timeout: 60_000 }).toBe('RETAINED')
      const { headers } = await getJson(journeyUrl(id))
      const since = Date.now()
      const held = getJson<Shown>(`${journeyUrl(id)}?waitSeconds=30`, {
        'if-none-match': headers.get('etag') ?? '',
      })
      await turnTeller('unpause')
      isPaused = false
      const sql = connect(database.url, { applicationName: 'test', max: 1 })
      await sql`update app.smart_deposit set retry_at = now() where status = 'retrying'`
      await sql.end()
      const { status, body } = await held
      expect([status, body.journey?.status]).toEqual([200, 'DEPOSITED'])
      // By the step, and not by the end of the wait.
      expect(Date.now() - since).toBeLessThan(25_000)
    } finally {
      if (isPaused) await turnTeller('unpause')
    }
  })

  test("error: what the vault refuses is refused with the vault's reason, and nothing is signed", async () => {
    await turnTeller('pause')
    try {
      const { status, reason } = await prepare()
      expect([status, reason]).toEqual([503, 'VAULT_PAUSED'])
    } finally {
      await turnTeller('unpause')
    }
  })

  test('error: a receiver that is a smart deposit address is named as the call names it', async () => {
    const { journey } = (await prepare()).body
    const { body, reason } = await prepare({ to: journey.smartDepositAddress })
    expect([reason, fieldsOf(body)]).toEqual(['RECEIVER_CANNOT_USE', ['to']])
  })

  test('error: a receiver on the list of sanctions, whose money would be recovered', async () => {
    await sanction('addToSanctionsList')
    try {
      const { body, status, reason } = await prepare()
      expect([status, reason]).toEqual([400, 'ACCOUNT_FROZEN'])
      expect(body.error.message).toContain('sanctions')
    } finally {
      await sanction('removeFromSanctionsList')
    }
  })

  test.each([
    [{ sourceAsset: DEPLOYMENT.tokens.USDT }, 'ROUTE_NOT_FOUND', []],
    [{ depositAmount: '1' }, 'BELOW_MIN_ORDER_SIZE', ['depositAmount']],
    [{ sourceAsset: '' }, 'INVALID_FIELD', ['sourceAsset']],
    [{ wantShares: String(MOST) }, 'INVALID_FIELD', ['wantShares']],
    [{ wantShares: String(MOST / 2n) }, 'INVALID_FIELD', ['wantShares']],
    [{ depositAmount: String(MOST) }, 'INVALID_FIELD', ['depositAmount']],
    [{ wantShares: '1', depositAmount: '1' }, 'INVALID_FIELD', ['wantShares']],
    [{ customerId: 'a b' }, 'INVALID_FIELD', ['customerId']],
  ])('error: %o', async (params, expected, fields) => {
    const { body, reason } = await prepare(params)
    expect(reason).toBe(expected)
    expect(fieldsOf(body)).toEqual(fields)
  })
})

function fieldsOf({ error }: ErrorBody): string[] {
  return error.details.flatMap((detail) =>
    'fieldViolations' in detail
      ? (detail.fieldViolations as { field: string }[]).map(({ field }) => field)
      : [],
  )
}

/** As the owner of the oracle, of the user. */
async function sanction(functionName: 'addToSanctionsList' | 'removeFromSanctionsList') {
  const abi = parseAbi([`function ${functionName}(address[])`])
  const data = encodeFunctionData({ abi, functionName, args: [[USER.address]] } as never)
  const account = DEVNET_ACTORS.vaultDeployer
  await sendCall(product.world, 1, { account, address: ORACLE, data })
}

/** As the owner of the vault's contracts. */
async function turnTeller(to: 'pause' | 'unpause') {
  const data = encodeFunctionData({
    abi: parseAbi([`function ${to}()`]),
    functionName: to,
  } as never)
  const account = DEVNET_ACTORS.vaultDeployer
  await sendCall(product.world, 1, { account, address: current.teller, data })
}
