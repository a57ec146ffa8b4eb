import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { benchAddressBook } from '../../../bench/benchChains.ts'
import { serveIdleChains } from '../../../bench/idleChains.ts'
import { seedOrders } from '../../../bench/seedOrders.ts'
import type { Caller } from '../../../domain/access/caller.ts'
import type { AppContext } from '../../../domain/appContext.ts'
import { listJourneys } from '../../../domain/journey/listJourneys.ts'
import { listTransitOrders } from '../../../domain/transit/orders/listTransitOrders.ts'
import type { OrderListParams } from '../../../domain/transit/orders/orderListQuery.ts'
import type { ResolvedRoute } from '../../../domain/transit/routes/resolvedRoutes.ts'
import { selectStats } from '../../../domain/transit/stats/selectStats.ts'
import { createOrderReader } from '../../support/orderReader.ts'
import { dearPlans } from '../../support/readPlans.ts'
import { countTouchedRows, type TouchedRows } from '../../support/touchedRows.ts'
import { withNothingKept } from '../../support/withNothingKept.ts'

/** The number of orders; one user has every 27th. */
const ORDER_COUNT = 27_000
/** The other users have a page or two here, which Postgres best reads whole. */
const LARGE = ['transit_side', 'transit_source', 'transit_destination']
const ORDER_PLAN = { nodes: 30, buffers: 60 }
const PAGE_PLAN = { nodes: 60, buffers: 400 }
const userAddress = `0x${sha256('user0').slice(0, 40)}`

/**
 * The rows and index entries that reads may touch: they decide between a millisecond and half a minute
 * over a million orders. On a small table time does not show it; `npm run bench` measures time.
 */
describe('what a read touches', () => {
  let rows: TouchedRows
  let context: AppContext
  beforeAll(async () => {
    rows = await countTouchedRows({
      addressBook: benchAddressBook,
      tables: LARGE,
      seed: (databaseUrl) => seedOrders(databaseUrl, ORDER_COUNT),
    })
    context = rows.context
  })
  afterAll(() => rows?.stop())

  const listUnread = (params: OrderListParams) =>
    listTransitOrders(withNothingKept(context), params)
  const readUnread = (id: Hex) => createOrderReader(context.sql, context.addressBook)(id)

  test('behavior: one order, the rows of its id', async () => {
    const id: Hex = `0x${sha256('13500')}`
    expect(await rows.touchedBy(() => readUnread(id))).toBeLessThan(10)
  })

  test('behavior: a page, its own rows, wherever it stands', async () => {
    let pageToken: string | undefined
    const costs: number[] = []
    for (let page = 0; page < 30; page++) {
      const next = () =>
        listUnread({ userAddress, pageSize: 25, pageToken }).then((found) => {
          expect(found.orders).toHaveLength(25)
          pageToken = found.nextPageToken ?? undefined
        })
      if (page % 29 === 0) costs.push(await rows.touchedBy(next))
      else await next()
    }
    const [first = 0, last = 0] = costs
    expect(first).toBeLessThan(26 * 10)
    expect(last).toBeLessThan(first * 1.5)
  })

  test('behavior: a page of a distributor code, a sender or a receiver, its own rows', async () => {
    const code = `0x${sha256('code0')}`
    for (const filter of [
      `distributorCode = ${code}`,
      `user = ${userAddress}`,
      `receiver = ${userAddress}`,
      `transactionSender = ${userAddress}`,
    ]) {
      const cost = await rows.touchedBy(async () => {
        const { orders } = await listUnread({ filter, pageSize: 25 })
        expect(orders).toHaveLength(25)
      })
      expect([filter, cost < 26 * 12]).toEqual([filter, true])
    }
  })

  test('behavior: a page of journeys with the payments of their orders, its own rows', async () => {
    const { orders } = await listUnread({ filter: `receiver = ${userAddress}`, pageSize: 25 })
    const { destinationChainId: chainId, wantAsset } = orders[0] ?? {}
    const organizationId = '00000000-0000-4000-8000-00000000000a'
    const user = `0x${'5e'.repeat(20)}` as const
    await rows.observer`
      insert into app.organization (id, name) values (${organizationId}, 'Journeys')`
    await rows.observer`
      insert into app.smart_deposit_address
        (chain_id, address, factory, user_destination_address, vault_address, input_token)
      values (${chainId ?? 0}, ${userAddress}, ${user}, ${user}, ${user}, ${wantAsset ?? ''})`
    await rows.observer`
      insert into app.smart_deposit_registration (organization_id, chain_id, address)
      values (${organizationId}, ${chainId ?? 0}, ${userAddress})`
    const permissions: Caller['permissions'] = ['smart-deposits']
    const caller = { organizationId, permissions } as Caller // No other field of it is read here.
    const cost = await rows.touchedBy(async () => {
      const { journeys } = await listJourneys(
        { ...context, caller },
        { userAddress: user, pageSize: 25 },
      )
      expect(journeys.length).toBeGreaterThan(0)
    })
    expect(cost).toBeLessThan(26 * 16)
  })

  test('behavior: orders by their ids, the rows of these', async () => {
    const orderIds = Array.from({ length: 100 }, (_, i): Hex => `0x${sha256(String(1 + i * 97))}`)
    const cost = await rows.touchedBy(async () => {
      const { orders } = await listUnread({ orderIds, pageSize: 100 })
      expect(orders).toHaveLength(100)
    })
    expect(cost).toBeLessThan(100 * 16)
  })

  test('behavior: a window, what lies in it, and its count', async () => {
    const [startTime, endTime] = [1_735_689_600, 1_735_689_600 + 30 * 2_700]
    const cost = await rows.touchedBy(async () => {
      const window = { userAddress, startTime, endTime, includeTotalCount: true }
      const { totalCount } = await listUnread({ ...window, pageSize: 25 })
      expect(totalCount).toBe('100')
    })
    expect(cost).toBeLessThan(26 * 10 + 2 * 2 * 2 * 100)
  })

  test('behavior: a filter, what it may examine', async () => {
    const filter = 'status = REMOVED'
    const cost = await rows.touchedBy(() => listUnread({ userAddress, filter, pageSize: 25 }))
    expect(cost).toBeLessThan(400 * 6)
  })

  test("behavior: a route's history, the orders that it looks at and no others", async () => {
    const [{ ends } = {}] = await rows.observer<{ ends: { offer: Hex; want: Hex } }[]>`
      select json_build_object('offer', offer_asset, 'want', want_asset) as ends
      from read.transit_source where chain_id = 1 and destination_eid = 30416 limit 1`
    const resolved = {
      key: 'busiest',
      route: { sourceChainId: 1, offerAsset: ends?.offer, wantAsset: ends?.want },
      destination: { chainId: 4663, eid: 30_416 },
    } as ResolvedRoute
    const cost = await rows.touchedBy(async () => {
      expect(await context.routeLatencies.estimate(resolved)).toBeGreaterThan(0)
    })
    // At most 500 executed orders among the newest 5,000, each read by an index.
    expect(cost).toBeLessThan(5_000 * 4)
  })

  test('behavior: stats, the sums and the orders of tombstones', async () => {
    const [{ count = 0 } = {}] = await rows.observer<{ count: number }[]>`
      select count(*)::integer as count from read.transit_destination where amount_due is null`
    expect(count).toBeGreaterThan(0)
    const query = {
      filter: null,
      interval: null,
      after: 1_735_689_600,
      until: 1_767_225_600,
      cursor: null,
      pageSize: 100,
      binding: '',
      chainIds: [1, 4663],
    }
    const cost = await rows.touchedBy(async () => {
      expect((await selectStats(context, query)).length).toBeGreaterThan(1)
    })
    expect(cost).toBeLessThan(count * 10)
  })

  test('behavior: the orders of a transaction, those', async () => {
    const [{ hash = '' } = {}] = await rows.observer<{ hash: string }[]>`
      select transaction_hash as hash from read.transit_source limit 1`
    const filter = `txHash = ${hash}`
    const cost = await rows.touchedBy(async () => {
      const { orders } = await listUnread({ filter, pageSize: 25 })
      expect(orders).toHaveLength(1)
    })
    expect(cost).toBeLessThan(20)
  })

  test('behavior: the order of a message, that one', async () => {
    const filter = `messageGuid = 0x${sha256(`guid0x${sha256('13500')}`)}`
    const cost = await rows.touchedBy(async () => {
      const { orders } = await listUnread({ filter, pageSize: 25 })
      expect(orders).toHaveLength(1)
    })
    expect(cost).toBeLessThan(20)
  })

  describe('over six chains', () => {
    const code = `0x${sha256('code0')}`
    const list = (params: object) => () => listUnread({ pageSize: 25, ...params })
    const byId = () => readUnread(`0x${sha256('13500')}`)
    const user = list({ userAddress })
    const status = list({ userAddress, filter: 'status = REMOVED' })
    const distributor = list({ filter: `distributorCode = ${code}` })
    const payer = list({ filter: `payer = ${userAddress}` })
    const transactionSender = list({ filter: `transactionSender = ${userAddress}` })
    const guid = `0x${sha256(`guid0x${sha256('13500')}`)}`
    const message = list({ filter: `messageGuid = ${guid}` })

    beforeAll(() => serveIdleChains(rows.databaseUrl, 6))

    test.each([
      ['one order', byId, ORDER_PLAN],
      ["a user's page", user, PAGE_PLAN],
      ["a user's orders of a rare status", status, { nodes: 90, buffers: 8_000 }],
      ['a page of a distributor code', distributor, PAGE_PLAN],
      ['a page of a payer', payer, PAGE_PLAN],
      ['a page of a sender of transactions', transactionSender, PAGE_PLAN],
      ['the order of a message', message, PAGE_PLAN],
    ])(
      'behavior: %s: one statement, few nodes, few pages, no table read in whole',
      async (_, read, most) => {
        await read()
        const plans = await rows.plansOf(read)
        expect(plans).toHaveLength(1)
        expect(dearPlans(plans, most)).toEqual([])
      },
    )

    test.each([
      ["a user's page", user, PAGE_PLAN, ['read.transit_side_user']],
      ['a page of a distributor code', distributor, PAGE_PLAN, ['read.transit_side_code']],
      ['a page of a payer', payer, PAGE_PLAN, ['read.transit_side_user']],
      [
        'a page of a sender of transactions',
        transactionSender,
        PAGE_PLAN,
        ['read.transit_side_sender'],
      ],
      ['the order of a message', message, PAGE_PLAN, ['read.transit_side_message']],
    ])('behavior: %s shows a missing index', async (_, read, most, without) => {
      const plans = await rows.plansOf(read, without)
      expect(dearPlans(plans, most)).not.toEqual([])
    })
  })

  test('behavior: one order and a page read no table of a build, over six chains and over twelve', async () => {
    const id: Hex = `0x${sha256('13500')}`
    for (const chains of [6, 12]) {
      await serveIdleChains(rows.databaseUrl, chains)
      for (const read of [() => readUnread(id), () => listUnread({ userAddress, pageSize: 25 })])
        expect(await rows.tablesReadBy(read)).toEqual([])
    }
  })
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
