import { getAddress, type Hex, parseEventLogs, parseUnits, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { DEVNET_ACTORS, DEVNET_QUOTE_SIGNER_KEY, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { runExactOutput } from '../simulation/exactOutputRounds.ts'
import { undescribed } from '../support/describedAnswer.ts'
import { getJson } from '../support/getJson.ts'
import { AWS_KEY, type KmsServer, startKmsServer } from '../support/kmsServer.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { pastedCalls, pasteGraphql } from '../support/pastedCalls.ts'
import { pasteShell, shellBlocks } from '../support/pasteShell.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import {
  type AuthorizationBody,
  authorizationPath,
  broadcast,
  encodeStructured,
  type QuoteBody,
  quotePath,
  signPermitData,
  tokenBalance,
} from '../support/quotes.ts'
import { JOURNEYS, type Journey } from './transitJourneys.ts'

let product: TestProduct
/** Holds the key that signs the quotes. Every second signature has a high s. */
let kms: KmsServer
beforeAll(async () => {
  kms = await startKmsServer(DEVNET_QUOTE_SIGNER_KEY)
  product = await startTestProduct({
    variables: {
      ...kms.variables,
      QUOTE_SIGNER_PRIVATE_KEY: '',
      QUOTE_SIGNER: `aws-kms:${AWS_KEY}`,
      QUOTE_SIGNER_ADDRESS: DEVNET_ACTORS.quoteSigner.address,
    },
  })
})
afterAll(async () => {
  await product?.stop()
  await kms?.stop()
})

describe('from a route to delivery, by what the API answers', () => {
  test.each(Object.entries(JOURNEYS))('%s', async (_, journey) => {
    const { payer, from, to, want, offer, offerAmount } = journey
    const receiver = journey.receiver ?? payer.address
    await journey.before?.(product.world, journey)
    await expectListed(journey)
    const permit = await authorize(journey)
    const { integratorFee, distributorCode } = journey
    const quote = await get<QuoteBody>(
      quotePath(journey, {
        userAddress: receiver,
        offerAmount: String(offerAmount),
        responseFormat: 'full',
        ...(integratorFee === undefined
          ? {}
          : {
              integratorFee: String(integratorFee),
              integratorFeeReceiver: DEVNET_ACTORS.integrator.address,
            }),
        ...(distributorCode ? { distributorCode } : {}),
        ...permit,
        simulate: 'true',
      }),
    )
    expectSums(quote, journey)
    expect(encodeStructured(quote.transaction)).toBe(quote.transaction.data)

    const { world } = product
    const holder = { integrator: DEVNET_ACTORS.integrator.address, vault: DEPLOYMENT.vault }
    const balances = async (): Promise<Record<string, bigint>> => ({
      payer: await tokenBalance(world, from, [offer, payer.address]),
      vault: await tokenBalance(world, from, [offer, holder.vault]),
      integrator: await tokenBalance(world, from, [offer, holder.integrator]),
      receiver: await tokenBalance(world, to, [want, receiver]),
      wantVault: await tokenBalance(world, to, [want, holder.vault]),
    })
    const before = await balances()
    const receipt = await broadcast(product.world, from, { account: payer, ...quote.transaction })
    expect(receipt.status).toBe('success')
    const [submitted] = parseEventLogs({
      abi: transitStationAbi,
      eventName: 'OrderSubmitted',
      logs: receipt.logs,
    })
    expect(submitted?.args).toMatchObject({
      uuid: quote.orderId,
      user: payer.address,
      distributorCode: distributorCode ?? zeroHash,
      quote: { deadline: BigInt(Date.parse(quote.expiresAt) / 1_000) },
    })
    expect((await polled(quote.orderId)).amountDue).toBe(quote.amountOut)
    const order = { orderId: quote.orderId, from, to, want }
    if (from !== to) await ORDER_STEPS.deliver(product.world, order)
    await ORDER_STEPS.execute(product.world, order)
    await expect
      .poll(() => polled(quote.orderId))
      .toMatchObject({
        status: 'PROCESSED',
        amountDue: quote.amountOut,
        remainingAmountDue: '0',
        user: payer.address,
        receiver: getAddress(receiver),
      })

    const after = await balances()
    const integrator = BigInt(quote.integratorFee)
    const changes = Object.entries(after).map(([name, amount]) => [
      name,
      amount - (before[name] ?? 0n),
    ])
    expect(Object.fromEntries(changes)).toEqual({
      payer: -offerAmount,
      vault: offerAmount - integrator,
      integrator,
      receiver: BigInt(quote.amountOut),
      wantVault: -BigInt(quote.amountOut),
    })
  })

  test('behavior: the calls of docs/transit.md and docs/filters.md answer as they are pasted', async () => {
    const { paths, graphql } = await pastedCalls('transit.md')
    expect(paths).toHaveLength(5)
    const [routes, authorization, quote, byWant, stats] = await Promise.all(
      paths.map((path) => get<Record<string, unknown>>(path)),
    )
    expect(routes).toHaveProperty('routes.0.minOrderSize')
    expect(authorization).toHaveProperty('spenderAddress')
    expect(quote).toHaveProperty('transaction.data')
    expect(stats).toHaveProperty('transitStats.0.latency')
    expect(byWant).toMatchObject({ wantAmount: '2000000000', amountOut: '2000000000' })
    expect(await pasteGraphql(product.url, graphql[0])).toHaveProperty(
      'data.transitRoutes.routes.1.minOrderSize',
    )
    const filtered = await pastedCalls('filters.md')
    expect(filtered.paths).toHaveLength(1)
    expect(await get(filtered.paths[0] ?? '')).toHaveProperty('orders')
  })

  test('behavior: the order of docs/quickstart.md without the client', async () => {
    const [, order = ''] = await shellBlocks('quickstart.md')
    const { address: userAddress } = userAt(0)
    const printed = pasteShell(product, order)
    const path = `/v1/transit/orders?userAddress=${userAddress}&filter=status%3DPENDING_BRIDGE`
    const listed = () => get<{ orders: { id: Hex }[] }>(path)
    await expect.poll(listed).toHaveProperty('orders.0.id')
    const orderId = (await listed()).orders[0]?.id ?? '0x'
    const ends = { orderId, from: 1, to: 4663, want: 'USDG' } as const
    await ORDER_STEPS.deliver(product.world, ends)
    await ORDER_STEPS.execute(product.world, ends)
    const output = await printed
    expect(output).toMatch(/PENDING_BRIDGE.+PROCESSED still to pay: 0/s)
  })

  test('behavior: the day of docs/guides/wallet-with-transit.md', async () => {
    const blocks = await shellBlocks('guides/wallet-with-transit.md')
    const isOpen = `/v1/transit/orders?userAddress=${userAt(0).address}&filter=status%3DPENDING_BRIDGE`
    const printed = pasteShell(product, blocks.join('\n'))
    const listed = () => get<{ orders: { id: Hex }[] }>(isOpen)
    await expect.poll(listed).toHaveProperty('orders.0.id')
    const orderId = (await listed()).orders[0]?.id ?? '0x'
    const ends = { orderId, from: 1, to: 4663, want: 'USDG' } as const
    await ORDER_STEPS.deliver(product.world, ends)
    await ORDER_STEPS.execute(product.world, ends)
    const output = await printed
    expect(output).toContain(`"orderIds":["${orderId}"]`)
    expect(output).toMatch(
      /step: 'SUBMITTED'.+step: 'PROCESSED'.+"totalCount":"\d+".+\}id,status,/s,
    )
  })

  test('behavior: the calls of docs/track-an-order.md, pasted one after another', async () => {
    const blocks = await shellBlocks('track-an-order.md')
    const output = await pasteShell(product, blocks.join('\n'))
    expect(output).toContain('"status":"PROCESSED"')
    // The request waits its full time, since nothing changes; then the stream's first state, and the index.
    expect(output).toMatch(/304\n.*event: next\ndata: [^\n]+remainingAmountDue.+"isSynced":true/s)
  })

  test('behavior: after an execution, the route and its quotes show an estimated time', async () => {
    const path = quotePath(JOURNEYS['by permit, from 1 to 4663'] as Journey, {
      userAddress: userAt(0).address,
      offerAmount: String(parseUnits('2500', 6)),
    })
    const estimate = async () => (await get<QuoteBody>(path)).estimatedLatencyMs
    await expect.poll(estimate, { interval: 500 }).toBeTypeOf('number')
  })

  test('behavior: by what is wanted: each receiver gets it, for the least offer', async () => {
    const { world, url: apiUrl } = product
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const options = { world, apiUrl, quotes: 30, seed, print: () => {} }
    const { paid } = await runExactOutput(options)
    expect(paid, `seed ${seed}`).toBeGreaterThanOrEqual(30)
  })

  test('behavior: the loop of docs/quickstart.md ends when a 404 is certain', async () => {
    const [, order = ''] = await shellBlocks('quickstart.md')
    const unsent = order.replace(/const \{ to, data.+?(?=\/\/ Whether)/s, '')
    const expired = unsent
      .replace('waitSeconds=5', 'waitSeconds=0')
      .replace('Finalized(quote.expiresAt)', "Finalized('2000-01-01')")
    await expect(pasteShell(product, expired)).rejects.toThrow('ORDER_NOT_FOUND')
  })
})

async function expectListed({ from, to, offer, want, offerAmount }: Journey) {
  const filter = [
    `sourceChainId = ${from}`,
    `destinationChainId = ${to}`,
    `offerAsset = ${DEPLOYMENT.tokens[offer]}`,
    `wantAsset = ${DEPLOYMENT.tokens[want]}`,
  ].join(' AND ')
  const { routes } = await get<{ routes: { minOrderSize: string }[] }>(
    `/v1/transit/routes?filter=${encodeURIComponent(filter)}`,
  )
  expect(routes).toHaveLength(1)
  expect(BigInt(routes[0]?.minOrderSize ?? 0)).toBeLessThanOrEqual(offerAmount)
}

/** Follows the API's steps until none is left, or until it has a permit to send along. */
async function authorize(journey: Journey): Promise<Record<string, string>> {
  const { payer, from, offer, offerAmount } = journey
  for (const [index, offered] of journey.offered.entries()) {
    const { methods, alreadyApproved, spenderAddress } = await get<AuthorizationBody>(
      authorizationPath(journey, { amount: offerAmount, userAddress: payer.address }),
    )
    expect(methods.map(({ type }) => type)).toEqual(offered)
    expect(alreadyApproved).toBe(offered.length === 0)
    expect(spenderAddress.toLowerCase()).toBe(DEPLOYMENT.station.toLowerCase())
    const [best] = methods
    if (best?.permitData)
      return {
        permitSignature: await signPermitData(payer, best.permitData),
        permitDeadline: best.permitData.deadline,
      }
    const isLast = index === journey.offered.length - 1
    expect(best?.requiresFollowUp).toBe(isLast ? undefined : true)
    const data = best?.transaction?.encoded
    if (data)
      await broadcast(product.world, from, { account: payer, to: DEPLOYMENT.tokens[offer], data })
  }
  const { alreadyApproved } = await get<AuthorizationBody>(
    authorizationPath(journey, { amount: offerAmount, userAddress: payer.address }),
  )
  expect(alreadyApproved).toBe(true)
  return {}
}

function expectSums(quote: QuoteBody, { offerAmount, from, to }: Journey) {
  const amount = (name: 'protocolFee' | 'fillCostFee' | 'conversionRateFee' | 'totalFees') =>
    BigInt(quote[name])
  expect(amount('fillCostFee') + amount('conversionRateFee')).toBe(amount('protocolFee'))
  expect(amount('protocolFee') + BigInt(quote.integratorFee)).toBe(amount('totalFees'))
  expect(amount('conversionRateFee')).toBe((offerAmount * 5n + 9_999n) / 10_000n)
  expect(amount('fillCostFee')).toBeGreaterThan(0n)
  expect(BigInt(quote.transaction.value) > 0n).toBe(from !== to)
}

async function polled(id: Hex) {
  const { order } = await get<{ order: Record<string, unknown> }>(
    `/v1/transit/orders/${id}?waitSeconds=5`,
  )
  return order
}

async function get<Body>(path: string): Promise<Body> {
  const { url, status, body } = await getJson<Body>(`${product.url}${path}`)
  expect([status, status === 200 || body]).toEqual([200, true])
  expect(undescribed(url, status, body)).toEqual([])
  return body
}
