import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { benchAddressBook } from '../../../bench/benchChains.ts'
import { serveIdleChains } from '../../../bench/idleChains.ts'
import { seededSchema } from '../../../bench/seedBuilds.ts'
import { seedOrders } from '../../../bench/seedOrders.ts'
import type { AppContext } from '../../../domain/appContext.ts'
import { listTransitOrders, selectPage } from '../../../domain/transit/orders/listTransitOrders.ts'
import {
  type OrderListParams,
  orderListQuery,
} from '../../../domain/transit/orders/orderListQuery.ts'
import { createOrderReads } from '../../../domain/transit/orders/orderRows.ts'
import { orderStatement } from '../../../domain/transit/orders/selectOrdersBetween.ts'
import { selectPageByOrders } from '../../../domain/transit/orders/selectPageByOrders.ts'
import { selectTransitOrders } from '../../../domain/transit/orders/selectTransitOrders.ts'
import type { ResolvedRoute } from '../../../domain/transit/routes/resolvedRoutes.ts'
import { selectStats } from '../../../domain/transit/stats/selectStats.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { dearPlans } from '../../support/readPlans.ts'
import { countTouchedRows, type TouchedRows } from '../../support/touchedRows.ts'
import { withNothingKept } from '../../support/withNothingKept.ts'

/** The number of orders; one user has every 27th. */
const ORDER_COUNT = 27_000
/** The other users have a page or two here, which Postgres best reads whole. */
const LARGE = ['transit_submission', 'transit_bridging', 'transit_delivery', 'transit_execution']
/** The nodes of the plan that reads one order, and of the heads of six chains, where they are not known. */
const MOST_NODES = 33
const HEAD_NODES = 55
const ORDER_PLAN = { nodes: MOST_NODES + HEAD_NODES, buffers: 60 }
/** The chains of every order. */
const PLACE = { sourceChainId: 1, destinationChainId: 4663 }
/** Each statement of a page: its list with the heads of six chains, then its orders between two chains. */
const PAGE_PLAN = { nodes: 42 + HEAD_NODES, buffers: 260 }
/** A table of a chain without orders, except that of submissions. */
const OF_IDLE_DESTINATION = /^index_7.*\.transit_(?!submission)/
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

  test('behavior: one order, the rows of its id', async () => {
    const id: Hex = `0x${sha256('13500')}`
    expect(await rows.touchedBy(() => context.ordersById.read(id))).toBeLessThan(10)
  })

  test('behavior: an order between its two chains is the row of the view over all chains', async () => {
    const ids = await rows.observer<{ id: Hex }[]>`
      (select order_id as id from read.transit_tombstone limit 50) union
      (select order_id from read.transit_removal limit 50) union
      (select order_id from read.transit_submission where destination_eid = 30101 limit 50) union
      (select order_id from read.transit_submission order by md5(order_id) limit 400)`
    const there = createOrderReads(context.sql).orderRows
    const anywhere = await selectTransitOrders(
      context.sql,
      ids.map(({ id }) => id),
    )
    const statuses = new Set([...anywhere.rows.values()].map(({ status }) => status))
    expect([...statuses].sort()).toEqual(['PENDING_BRIDGE', 'PROCESSED', 'PROCESSING', 'REMOVED'])
    for (const [id, row] of anywhere.rows) expect((await there.read(id)).row).toEqual(row)
  })

  test('behavior: a page by its orders is the page that one statement reads', async () => {
    const first = { userAddress, pageSize: 25 }
    const { nextPageToken } = await listUnread(first)
    const pages = [
      first,
      { ...first, pageToken: nextPageToken ?? undefined },
      { userAddress: `0x${sha256('user1').slice(0, 40)}`, pageSize: 100 },
      { filter: `receiver = ${userAddress}`, pageSize: 1 },
    ]
    for (const params of pages) {
      const query = orderListQuery(context, params)
      const page = await selectPageByOrders(context, query)
      expect(page?.rows.length).toBeGreaterThan(1)
      const whole = await selectPage(context, query)
      // Each statement has its own snapshot, which also names the transactions of other tests in the cluster.
      const { snapshot = '' } = page?.heads ?? {}
      expect(page).toEqual({ ...whole, heads: { ...whole.heads, snapshot } })
    }
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
    ]) {
      const cost = await rows.touchedBy(async () => {
        const { orders } = await listUnread({ filter, pageSize: 25 })
        expect(orders).toHaveLength(25)
      })
      expect([filter, cost < 26 * 12]).toEqual([filter, true])
    }
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
      from read.transit_submission where chain_id = 1 and destination_eid = 30416 limit 1`
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
      select count(*)::integer as count from read.transit_tombstone`
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
      select transaction_hash as hash from read.transit_submission limit 1`
    const filter = `txHash = ${hash}`
    const cost = await rows.touchedBy(async () => {
      const { orders } = await listUnread({ filter, pageSize: 25 })
      expect(orders).toHaveLength(1)
    })
    expect(cost).toBeLessThan(20)
  })

  describe('over six chains', () => {
    const code = `0x${sha256('code0')}`
    const list = (params: object) => () => listUnread({ pageSize: 25, ...params })
    const byId = () => context.ordersById.readAgain(`0x${sha256('13500')}`)
    const user = list({ userAddress })
    const status = list({ userAddress, filter: 'status = REMOVED' })
    const distributor = list({ filter: `distributorCode = ${code}` })
    /** The read indexes of submissions: by user, receiver, code. */
    const index = (position: number) =>
      [1, 4663].map((id) => `${seededSchema(id)}.transit_submission_read_${position}`)

    beforeAll(() => serveIdleChains(rows.databaseUrl, 6))

    test.each([
      ['one order', byId, ORDER_PLAN],
      ["a user's page", user, PAGE_PLAN],
      ["a user's orders of a rare status", status, { nodes: 440, buffers: 4_000 }],
      ['a page of a distributor code', distributor, PAGE_PLAN],
    ])('behavior: %s: few nodes, few pages, no table read in whole', async (_, read, most) => {
      await read()
      const plans = await rows.plansOf(read)
      expect(plans).not.toEqual([])
      expect(dearPlans(plans, most)).toEqual([])
    })

    test.each([
      ['one order', byId, ORDER_PLAN, [`${seededSchema(4663)}.transit_execution_read_0`]],
      ["a user's page", user, PAGE_PLAN, index(0)],
      ['a page of a distributor code', distributor, PAGE_PLAN, index(2)],
    ])('behavior: %s shows a missing index', async (_, read, most, without) => {
      const plans = await rows.plansOf(read, without)
      expect(dearPlans(plans, most)).not.toEqual([])
    })
  })

  test('behavior: one order and a page, their chains, with as large a plan over twelve chains as over six', async () => {
    const id: Hex = `0x${sha256('13500')}`
    const nodes: number[] = []
    const pages: number[] = []
    for (const chains of [6, 12]) {
      await serveIdleChains(rows.databaseUrl, chains)
      if (chains === 6) {
        const withHeads = orderStatement(PLACE, { hasHeads: true })
        expect(await nodesOf(withHeads)).toBeLessThanOrEqual(MOST_NODES + HEAD_NODES)
      }
      // Where it is, is remembered from here on.
      await context.ordersById.read(id)
      const tables = await rows.tablesReadBy(() => context.ordersById.readAgain(id))
      const facts = tables.filter((table) => /\.transit_/.test(table))
      expect(facts.filter((table) => !/^index_(1|4663)_/.test(table))).toEqual([])
      expect(tables).toContainEqual(expect.stringMatching(/\.transit_submission$/))
      const known = await rows.tablesReadBy(() => context.ordersById.read(id))
      expect(known.filter((table) => /\.transit_/.test(table))).toEqual([])
      const builds = { source: seededSchema(1), destination: seededSchema(4663) }
      nodes.push(await nodesOf(orderStatement(PLACE)))
      expect(await nodesOf(orderStatement(PLACE, { builds }))).toBeLessThanOrEqual(MOST_NODES)
      const page = () => listUnread({ userAddress, pageSize: 25 })
      // The list looks for the user's submissions on every chain, and for each order only where it is.
      expect(
        (await rows.tablesReadBy(page)).filter((table) => OF_IDLE_DESTINATION.test(table)),
      ).toEqual([])
      pages.push(await buffersOf(page))
    }
    const [six = 0, twelve] = nodes
    expect(twelve).toBe(six)
    expect(six).toBeLessThanOrEqual(MOST_NODES)
    const [pageOfSix = 0, pageOfTwelve = 0] = pages
    expect(pageOfSix).toBeLessThan(26 * 25)
    // The progress and the list of each further chain.
    expect(pageOfTwelve - pageOfSix).toBeLessThan(6 * 5)
  })

  /**
   * The pages that a page of orders touches: its list, and its orders from four pairs of chains. Where any session of the
   * cluster wrote between these statements, one is read again with the heads; then the page is read anew.
   */
  async function buffersOf(readPage: () => Promise<unknown>): Promise<number> {
    return vi.waitFor(
      async () => {
        const plans = await rows.plansOf(readPage)
        expect(plans).toHaveLength(1 + 4)
        return plans.reduce((sum, { buffers }) => sum + buffers, 0)
      },
      { timeout: PATIENCE_MS, interval: 1 },
    )
  }

  /** The number of nodes of a statement's generic plan; `ids` are its only parameter. */
  async function nodesOf(statement: string): Promise<number> {
    const [explained] = await rows.observer.unsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
      `explain (format json) ${statement}`,
      [[`0x${sha256('13500')}`]],
    )
    return explained ? countNodes(explained['QUERY PLAN'][0].Plan) : Number.NaN
  }
})

type Plan = { Plans?: Plan[] }

function countNodes({ Plans = [] }: Plan): number {
  return Plans.reduce((sum, plan) => sum + countNodes(plan), 1)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
