import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedBuilds } from '../../bench/seedBuilds.ts'
import {
  BIG_USER,
  seededQueues,
  withdrawalAddressBook,
  withdrawalFacts,
} from '../../bench/withdrawalFacts.ts'
import { connect } from '../../db/sql.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { RequestContext } from '../../domain/context.ts'
import { listWithdrawalRequests } from '../../domain/earn/listWithdrawalRequests.ts'
import { createLogger } from '../../processes/logger.ts'
import { createServiceContext } from '../../processes/serviceContext.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { SETTINGS } from '../support/settings.ts'

/** A fifth of them in one queue, of which 200 wait; in most others 4. One user has every 27th. */
const ORDER_COUNT = 40_000
const queues = seededQueues(ORDER_COUNT)
const [largest, other] = [queues[0]?.vault, queues[7]?.vault]
/** A page has as many rows and one more, from one of so many branches. */
const PAGE = 25
const CHAINS = 6
const BRANCHES = CHAINS * 4

/** What lists of withdrawal requests may touch, in rows and index entries, over the builds of six chains. */
describe('what a list of withdrawal requests touches', () => {
  let database: TestDatabase
  let observer: Sql
  let service: ReturnType<typeof createServiceContext>
  let context: RequestContext

  beforeAll(async () => {
    database = await createTestDatabase()
    observer = connect(database.url, { applicationName: 'test', max: 3 })
    const addressBook = withdrawalAddressBook(queues)
    const chains = withdrawalFacts(queues)
    await seedBuilds(observer, { databaseUrl: database.url, addressBook, chains })
    service = createServiceContext({
      applicationName: 'causeway-test',
      databaseUrl: database.url,
      addressBook: parseAddressBook(addressBook, 'bench'),
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
  }, 120_000)

  afterAll(async () => {
    await service?.stop()
    await observer?.end()
    await database?.drop()
  })

  /** Rows and index entries of orders that were read meanwhile. */
  async function touchedBy(read: () => Promise<unknown>): Promise<number> {
    const before = await touched()
    await read()
    return (await touched()) - before
  }

  async function touched(): Promise<number> {
    // The observer's too: what it did to fill the tables must not be told later.
    for (const sql of [context.sql, context.adHocSql, observer])
      await Promise.all(
        Array.from({ length: 10 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
      )
    const [row] = await observer<{ touched: number }[]>`
      select (sum(t.seq_tup_read) + (
        select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relname = 'withdraw_order'
      ))::double precision as touched
      from pg_stat_user_tables t where t.relname = 'withdraw_order'`
    return row?.touched ?? 0
  }

  const costOf = (filter: string, found = PAGE) =>
    touchedBy(async () => {
      const page = await listWithdrawalRequests(context, { filter, pageSize: PAGE })
      expect(page.withdrawalRequests).toHaveLength(found)
    })

  test.each<[string, string, number?]>([
    ['a user', `userAddress = ${BIG_USER} AND status = COMPLETE`],
    ['a user, what was refunded', `userAddress = ${BIG_USER} AND status = REFUNDED`, 11],
    ['a vault, what was refunded', `vaultAddress = ${largest} AND status = REFUNDED`],
    ['everything, what was refunded', 'status = REFUNDED'],
    ['everything on a chain, what was paid', 'chainId = 999 AND status = COMPLETE'],
  ])('behavior: %s: the page, and a look into each branch', async (_, filter, found?: number) => {
    expect(await costOf(filter, found)).toBeLessThan(2 * (PAGE + 1) + BRANCHES)
  })

  test('behavior: wherever the page stands', async () => {
    let pageToken: string | undefined
    const costs: number[] = []
    for (let page = 0; page < 40; page += 1) {
      const next = async () => {
        const filter = `userAddress = ${BIG_USER} AND status = COMPLETE`
        const found = await listWithdrawalRequests(context, { filter, pageSize: PAGE, pageToken })
        pageToken = found.nextPageToken ?? undefined
      }
      if (page % 39 === 0) costs.push(await touchedBy(next))
      else await next()
    }
    const [first = 0, last = 0] = costs
    expect(last).toBeLessThan(first * 1.5)
  })

  test('behavior: with what waits, that of its queue once, and of no other', async () => {
    const cost = await costOf(`vaultAddress = ${largest} AND status = PENDING`)
    expect(cost).toBeGreaterThan(100)
    expect(cost).toBeLessThan(200 + 2 * (PAGE + 1) + BRANCHES)
  })

  test('behavior: one index, whose orders are all of one time: a page of each chain', async () => {
    const cost = await costOf('orderIndex = 100')
    expect(cost).toBeLessThan(2 * CHAINS * (PAGE + 1) + BRANCHES)
  })

  test('behavior: a user and a vault: what it may examine', async () => {
    const cost = await costOf(`userAddress = ${BIG_USER} AND vaultAddress = ${other}`, 5)
    expect(cost).toBeLessThan(500 + BRANCHES + 2 * PAGE)
  })

  test('behavior: one by its id: itself, and what waits before it', async () => {
    const [at] = await observer<{ id: string; queue: string; order_index: string }[]>`
      select chain_id || ':' || queue || ':' || order_index as id, queue, order_index
      from read.withdraw_order where vault = ${largest ?? ''} and is_paid limit 1`
    const cost = await touchedBy(async () => {
      const { request } = await context.withdrawalReads.read(at?.id as never)
      expect(request?.status).toBe('COMPLETE')
    })
    expect(cost).toBeLessThan(5)
  })
})
