import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { benchAddressBook } from '../../bench/benchChains.ts'
import { seedOrders } from '../../bench/seedOrders.ts'
import { connect } from '../../db/sql.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { RequestContext } from '../../domain/context.ts'
import type { JoinedRoute } from '../../domain/transit/joinedRoutes.ts'
import { listTransitOrders } from '../../domain/transit/listTransitOrders.ts'
import { createLogger } from '../../processes/logger.ts'
import { createServiceContext } from '../../processes/serviceContext.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { SETTINGS } from '../support/settings.ts'

/** One user has every 27th of them. */
const ORDER_COUNT = 27_000
/** The others have a page or two here, which are best read whole. */
const LARGE = ['transit_submission', 'transit_bridging', 'transit_fill', 'transit_execution']
const userAddress = `0x${sha256('user0').slice(0, 40)}`

/**
 * What reads may touch, in rows and index entries: the difference between a millisecond and half a
 * minute over a million orders, which no small table shows by the clock (bench/size.ts measures).
 */
describe('what a read touches', () => {
  let database: TestDatabase
  let observer: Sql
  let service: ReturnType<typeof createServiceContext>
  let context: RequestContext

  beforeAll(async () => {
    database = await createTestDatabase()
    await seedOrders(database.url, ORDER_COUNT)
    observer = connect(database.url, { applicationName: 'test', max: 1 })
    service = createServiceContext({
      applicationName: 'causeway-test',
      databaseUrl: database.url,
      addressBook: parseAddressBook(benchAddressBook, 'bench'),
      chainUrls: new Map(),
      appSecret: randomBytes(32),
      secretsKey: randomBytes(32),
      webhookTargets: { allowPrivate: false },
      quoteSigner: null,
      attestations: null,
      settings: SETTINGS,
      logger: createLogger('test', 'silent'),
    })
    context = {
      ...service.context,
      ...{ requestId: 'test', caller: null, freshness: new Map(), degraded: new Set() },
    }
  }, 60_000)

  afterAll(async () => {
    await service?.stop()
    await observer?.end()
    await database?.drop()
  })

  /** Rows and index entries of facts that were read meanwhile. */
  async function touchedBy(read: () => Promise<unknown>): Promise<number> {
    const before = await touched()
    await read()
    return (await touched()) - before
  }

  /** Sessions tell what they touched a second late at most, or when they are asked to. */
  async function touched(): Promise<number> {
    for (const sql of [context.sql, context.adHocSql])
      await Promise.all(
        Array.from({ length: 10 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
      )
    const [row] = await observer<{ touched: number }[]>`
      select (sum(t.seq_tup_read) + (
        select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relname = any(${LARGE})
      ))::double precision as touched
      from pg_stat_user_tables t where t.relname = any(${LARGE})`
    return row?.touched ?? 0
  }

  test('behavior: one order, the rows of its id', async () => {
    const id: Hex = `0x${sha256('13500')}`
    expect(await touchedBy(() => context.orderReads.read(id))).toBeLessThan(10)
  })

  test('behavior: a page, its own rows, wherever it stands', async () => {
    let pageToken: string | undefined
    const costs: number[] = []
    for (let page = 0; page < 30; page++) {
      const next = () =>
        listTransitOrders(context, { userAddress, pageSize: 25, pageToken }).then((found) => {
          expect(found.orders).toHaveLength(25)
          pageToken = found.nextPageToken ?? undefined
        })
      if (page % 29 === 0) costs.push(await touchedBy(next))
      else await next()
    }
    const [first = 0, last = 0] = costs
    expect(first).toBeLessThan(26 * 10)
    expect(last).toBeLessThan(first * 1.5)
  })

  test('behavior: a filter, what it may examine', async () => {
    const filter = 'status = REMOVED'
    const cost = await touchedBy(() =>
      listTransitOrders(context, { userAddress, filter, pageSize: 25 }),
    )
    expect(cost).toBeLessThan(400 * 6)
  })

  test("behavior: a route's history, the orders that it looks at and no others", async () => {
    const [{ ends } = {}] = await observer<{ ends: { offer: Hex; want: Hex } }[]>`
      select json_build_object('offer', offer_asset, 'want', want_asset) as ends
      from read.transit_submission where chain_id = 1 and destination_eid = 30416 limit 1`
    const joined = {
      key: 'busiest',
      route: { sourceChainId: 1, offerAsset: ends?.offer, wantAsset: ends?.want },
      destination: { chainId: 4663, eid: 30_416 },
    } as JoinedRoute
    const cost = await touchedBy(async () => {
      expect(await context.routeLatencies.estimate(joined)).toBeGreaterThan(0)
    })
    // At most 500 executed of the newest 5,000, by an index each.
    expect(cost).toBeLessThan(5_000 * 4)
  })

  test('behavior: the orders of a transaction, those', async () => {
    const [{ hash = '' } = {}] = await observer<{ hash: string }[]>`
      select transaction_hash as hash from read.transit_submission limit 1`
    const filter = `txHash = ${hash}`
    const cost = await touchedBy(async () => {
      const { orders } = await listTransitOrders(context, { filter, pageSize: 25 })
      expect(orders).toHaveLength(1)
    })
    expect(cost).toBeLessThan(20)
  })
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
