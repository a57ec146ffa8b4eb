import { parseEther, parseEventLogs, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountantAbi } from '../../abis/accountant.ts'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { type IndexListener, startIndexListener } from '../../db/indexListener.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_ACTORS, userAt } from '../../devnet/accounts.ts'
import { setCapClosed, setPaused } from '../../devnet/controls.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { worldClient } from '../../devnet/world.ts'
import { createReadStore } from '../../domain/cache/keptReads.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { createRouteLatencies } from '../../domain/transit/routes/routeLatencies.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'
import { createLogger } from '../../processes/logger.ts'
import { createIndexFeed } from '../../worker/feed/indexFeed.ts'
import { undescribedEvent } from '../support/describedAnswer.ts'
import { encodeHandCall } from '../support/handCall.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { until } from '../support/until.ts'
import { queueClient } from '../support/withdrawalProduct.ts'

type Event = { type: string; sequence: number; [field: string]: unknown }

/** Each takes seconds. */
const RESTARTS = Number(process.env.RESTARTS ?? 1)
const USER = userAt(0)
const PRIME = vaultDeployment('Harbor Prime', 1)
const STRANGER = `0x${'ab'.repeat(20)}`

let product: TestProduct
let sql: ReturnType<typeof connect>
let listener: IndexListener
let feed: { stop(): Promise<void> } | undefined
/** Ids by name. */
const organizations: Record<string, string> = {}

beforeAll(async () => {
  product = await startTestProduct({ withVaults: true })
  sql = connect(product.databaseUrl, { applicationName: 'test' })
  await watch('watches the user', `userAddress = ${USER.address}`)
  await watch('watches a stranger', `userAddress = ${STRANGER}`)
  await watch('watches its code', null)
  await watch('watches a vault', `vaultAddress = ${PRIME.vault}`, '{vault.*}')
  listener = startIndexListener(product.databaseUrl, () => {})
  feed = startFeed()
  // A new feed starts at the heads of its first look, so facts before that look have no events.
  await until(async () => (await sql`select from app.feed_cursor`).length === 2)
})
afterAll(async () => {
  await feed?.stop()
  await listener?.stop()
  await sql?.end()
  await product?.stop()
})

describe('events of the index', () => {
  test('default: an order over two chains, from its submission to its last payment', async () => {
    const order = await place(1, 4663)
    await untilRecorded(order.resource, ['submitted'])
    await ORDER_STEPS.deliver(product.world, order)
    await untilRecorded(order.resource, ['submitted', 'received'])
    await ORDER_STEPS.executePart(product.world, order)
    await ORDER_STEPS.execute(product.world, order)
    const events = await untilRecorded(order.resource, [
      'submitted',
      'received',
      'executed',
      'executed',
      'processed',
    ])
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    const [submitted, received, part, rest, processed] = events
    const [bridged] = parseEventLogs({
      abi: transitStationAbi,
      eventName: 'OrderBridged',
      logs: order.receipt.logs,
    })
    expect(bridged).toBeDefined()
    expect(submitted).toMatchObject({
      order_id: order.orderId,
      source_chain_id: '1',
      destination_chain_id: '4663',
      user_address: USER.address,
      offer_amount: '10000000',
      source_tx_hash: order.receipt.transactionHash,
      message_guid: bridged?.args.guid,
      protocol_fee: String(order.quote.protocolFee),
      integrator_fee: '0',
      integrator_fee_receiver_address: zeroAddress,
      deadline: Number(order.quote.deadline),
      chain_id: '1',
      version: 'v2',
      transaction_hash: order.receipt.transactionHash,
    })
    expect(received).toMatchObject({ chain_id: '4663', amount_due: expect.stringMatching(/^\d+$/) })
    const paid = [part, rest].map((event) => BigInt(String(event?.amount)))
    expect(paid.reduce((sum, amount) => sum + amount, 0n)).toBe(
      BigInt(String(received?.amount_due)),
    )
    expect(processed?.transaction_hash).toBe(rest?.transaction_hash)
  })

  test('behavior: an endpoint with another filter gets nothing', async () => {
    const { resource } = await place(1, 1)
    await untilRecorded(resource, ['submitted', 'received'])
    expect(await recordedEvents('watches a stranger')).toEqual([])
    expect(await recordedEvents('watches its code')).toEqual([])
  })

  test('behavior: facts that a reorganisation takes back are reverted, those that replace them are new', async () => {
    const client = worldClient(product.world, 1)
    const mark = await client.snapshot()
    const lost = await place(1, 1)
    const [submitted, received] = await untilRecorded(lost.resource, ['submitted', 'received'])
    await client.revert({ id: mark })
    await client.mine({ blocks: 3 })
    const after = await untilRecorded(lost.resource, [
      'submitted',
      'received',
      'reverted',
      'reverted',
    ])
    expect(after.slice(2).map((event) => event.reverted_event_id)).toEqual([
      received?.id,
      submitted?.id,
    ])
    expect(after[3]).toMatchObject({
      reverted_type: 'transit.order.submitted',
      order_id: lost.orderId,
    })
    const { resource } = await place(1, 1)
    await untilRecorded(resource, ['submitted', 'received'])
  })

  test('behavior: an organization with constant other events does not delay these', async () => {
    const stopping = new AbortController()
    const organizationId = organizations['watches the user'] ?? ''
    const pinging = pingWithoutEnd(organizationId, stopping.signal)
    const { resource } = await place(1, 1)
    await untilRecorded(resource, ['submitted', 'received'])
    stopping.abort()
    await pinging
  })

  test('behavior: a queued withdrawal that is cancelled and refunded, and one that is paid', async () => {
    const prime = queueClient(product, 'Harbor Prime')
    await prime.deposit(USER, 'USDC', 1_000_000_000n)
    const [cancelled, paid] = [
      await prime.submit({ shares: parseEther('100') }),
      await prime.submit({ shares: parseEther('50') }),
    ]
    await prime.cancel(USER, cancelled)
    await prime.process(2)
    const { queue } = prime.deployment.current
    const resource = (order: { orderIndex: bigint }) =>
      `withdrawal_request:1:${queue}:${order.orderIndex}`
    const ended = await untilRecorded(resource(cancelled), [
      'created',
      'refund_pending',
      'refunded',
    ])
    expect(ended[1]).toMatchObject({ is_marked_by_user: true })
    const [created, completed] = await untilRecorded(resource(paid), ['created', 'completed'])
    expect(created).toMatchObject({ offer_amount: String(parseEther('50')), order_index: '2' })
    expect(completed).toMatchObject({ assets_out: expect.stringMatching(/^[1-9]\d*$/) })
  })

  test('behavior: a vault that is paused, capped and revalued, and what a reorganisation takes back', async () => {
    const { world } = product
    const client = worldClient(world, 1)
    const place = { chainId: 1, vault: 'Harbor Prime' }
    const of = 'watches a vault'
    const id = `1:${PRIME.vault}`
    const { accountant, teller, depositor } = PRIME.current
    await setPaused(world, place, true)
    await setPaused(world, place, false)
    await setCapClosed(world, place, true)
    await untilRecorded(`vault:${id}`, ['paused', 'unpaused', 'cap_changed'], of)
    const mark = await client.snapshot()
    const rate = await client.readContract({
      address: accountant,
      abi: accountantAbi,
      functionName: 'getRate',
    })
    const data = encodeHandCall(['function updateExchangeRate(uint96)', rate + 1n])
    const account = DEVNET_ACTORS.rateUpdater
    const { transactionHash } = await sendCall(world, 1, { account, address: accountant, data })
    await setCapClosed(world, place, false)
    const types = ['paused', 'unpaused', 'cap_changed', 'rate_updated', 'cap_changed']
    const [paused, , closed, updated, opened] = await untilRecorded(`vault:${id}`, types, of)
    expect(paused).toMatchObject({
      vault_id: id,
      vault_address: PRIME.vault,
      contract: 'teller',
      contract_address: teller,
      chain_id: '1',
    })
    expect(closed).toMatchObject({ supply_cap: '0', cap_in: 'value', depositor_address: depositor })
    expect(updated).toMatchObject({
      exchange_rate: String(rate + 1n),
      previous_exchange_rate: String(rate),
      accountant_address: accountant,
      transaction_hash: transactionHash,
    })
    await client.revert({ id: mark })
    await client.mine({ blocks: 4 })
    const after = await untilRecorded(`vault:${id}`, [...types, 'reverted', 'reverted'], of)
    expect(after.slice(-2).map((event) => event.reverted_event_id)).toEqual([
      opened?.id,
      updated?.id,
    ])
    expect(after.at(-1)).toMatchObject({ reverted_type: 'vault.rate_updated', vault_id: id })
    await setCapClosed(world, place, false)
    await untilRecorded(`vault:${id}`, [...types, 'reverted', 'reverted', 'cap_changed'], of)
  })

  test('behavior: restarts of indexer and feed repeat no event and revert none', async () => {
    const count = async () => {
      const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from app.event`
      return row?.count
    }
    const before = await count()
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await product.indexer.stop()
      await feed?.stop()
      feed = startFeed()
      await product.restartIndexer()
      const { resource } = await place(1, 1)
      await untilRecorded(resource, ['submitted', 'received'])
    }
    expect(await count()).toBe((before ?? 0) + 2 * RESTARTS)
  })

  test('behavior: finalized blocks move the cursor, and their events are not repeated', async () => {
    const [before] = await sql<{ count: number }[]>`
      select count(*)::integer as count from app.event`
    const left = async () =>
      (await sql<{ count: number }[]>`select count(*)::integer as count from app.seen_fact`)[0]
        ?.count
    expect(await left()).toBeGreaterThan(0)
    for (const chainId of [1, 4663]) await worldClient(product.world, chainId).mine({ blocks: 100 })
    await expect.poll(left).toBe(0)
    const { resource } = await place(1, 1)
    await untilRecorded(resource, ['submitted', 'received'])
    const [after] = await sql<{ count: number }[]>`
      select count(*)::integer as count from app.event`
    expect(after?.count).toBe((before?.count ?? 0) + 2)
  })
})

async function pingWithoutEnd(organizationId: string, signal: AbortSignal) {
  for (let count = 1; !signal.aborted; count += 1)
    await sql.begin((transaction) =>
      recordEvents(transaction, [
        { organizationId, resource: 'pinged', type: 'ping', name: String(count), fields: {} },
      ]),
    )
}

function startFeed() {
  const { rpcUrls, addressBook } = product.world
  const endpoints = [1, 4663].map((chainId) => ({ chainId, rpcUrls: [rpcUrls[chainId] ?? ''] }))
  return createIndexFeed({
    databaseUrl: product.databaseUrl,
    sql,
    listener,
    chains: createChainClients(endpoints, addressBook),
    addressBook,
    routeLatencies: createRouteLatencies(sql, createReadStore('test', { max: 10 })),
    logger: createLogger('test', 'silent'),
  }).start?.()
}

/** An organization and its endpoint. Nothing is sent, because no worker runs. */
async function watch(name: string, filter: string | null, eventTypes = '{transit.*,withdrawal.*}') {
  const [organization] = await sql<{ id: string }[]>`
    insert into app.organization (name, default_distributor_code)
    values (${name}, ${`0x${'cd'.repeat(32)}`}) returning id`
  organizations[name] = organization?.id ?? ''
  await sql`
    insert into app.webhook_endpoint (organization_id, url, event_types, filter)
    values (${organization?.id ?? ''}, 'https://example.com', ${eventTypes}::text[], ${filter})`
}

async function place(from: number, to: number) {
  const order = await placeOrder(product.world, {
    user: USER,
    sourceChainId: from,
    destinationChainId: to,
    offerAsset: DEPLOYMENT.tokens.USDC,
    wantAsset: DEPLOYMENT.tokens.USDG,
    offerAmount: 10_000_000n,
  })
  const resource = `transit_order:${order.orderId}`
  return { ...order, from, to, want: 'USDG' as const, resource }
}

async function recordedEvents(organization: string, resource = ''): Promise<Event[]> {
  const rows = await sql<{ body: Event }[]>`
    select body from app.event
    where organization_id = ${organizations[organization] ?? ''}
      and lower(resource) like ${`${resource.toLowerCase()}%`}
    order by organization_sequence`
  for (const { body } of rows) expect(undescribedEvent(body)).toEqual([])
  return rows.map(({ body }) => body)
}

/** Waits until the events are exactly these, by the last parts of their types. */
async function untilRecorded(
  resource: string,
  types: string[],
  organization = 'watches the user',
): Promise<Event[]> {
  const read = () => recordedEvents(organization, resource)
  await expect
    .poll(async () => (await read()).map(({ type }) => type.split('.').at(-1)))
    .toEqual(types)
  return read()
}
