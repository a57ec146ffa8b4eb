import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { localAddressBook } from '../../../devnet/localAddressBook.ts'
import { parseAddressBook } from '../../../domain/addressBook/addressBook.ts'
import { createReadStore } from '../../../domain/cache/keptReads.ts'
import { ServiceError } from '../../../domain/error/serviceError.ts'
import {
  type ResolvedRoute,
  resolvedRoutes,
} from '../../../domain/transit/routes/resolvedRoutes.ts'
import {
  createRouteCapacity,
  type QuotePrincipal,
  type RouteCapacity,
} from '../../../domain/transit/signing/routeCapacity.ts'
import { handClock } from '../../support/handClock.ts'
import { insertSources } from '../../support/insertOrder.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'
import { setHeadTime } from '../../support/testIndex.ts'

/** Two replicas: each has its own connections and caches, and both have one database. */
const clock = handClock()
const storeOf = () => createReadStore('test', { max: 10, clock })
const now = Math.floor(Date.now() / 1_000)
const DEADLINE = now + 600
const book = parseAddressBook(localAddressBook(DEPLOYMENT, [1, 4663]), 'local')

let database: TestDatabase
let pools: Sql[]
let one: RouteCapacity
let other: RouteCapacity
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  pools = [1, 2].map(() => connect(database.url, { applicationName: 'test' }) as Sql)
  const [first, second] = pools.map((sql) => createRouteCapacity(sql, storeOf()))
  if (!first || !second) throw new Error('two replicas')
  one = first
  other = second
  await setHeadTime(pools[0] as Sql, 1, now)
})
afterAll(async () => {
  await Promise.all((pools ?? []).map((sql) => sql.end()))
  await database?.drop()
})

describe('the cap of a route', () => {
  test('default: two replicas at once for the last unit: the second waits for the first, and gets nothing', async () => {
    const route = routeOf('race', 400n)
    const [sql] = pools as [Sql]
    for (const organizationId of ['a', 'b', 'c'])
      expect(await ask(one, route, { organizationId }, 100n)).toBe('counted')
    expect(await ask(one, route, { organizationId: 'd' }, 99n)).toBe('counted')
    let second: Promise<string> | undefined
    await sql.begin(async (transaction) => {
      const first = createRouteCapacity(transaction, storeOf())
      expect(await ask(first, route, { organizationId: 'e' }, 1n)).toBe('counted')
      second = ask(other, route, { organizationId: 'f' }, 1n)
      await expect
        .poll(async () => {
          const waiting = await sql`
            select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`
          return waiting.length
        })
        .toBe(1)
    })
    expect(await second).toBe('0')
  })

  test('behavior: a hundred quotes at once over both: never more than the cap', async () => {
    const route = routeOf('crowd', 4_000n)
    const asked = Array.from({ length: 100 }, (_, index) =>
      ask(index % 2 ? one : other, route, { organizationId: `o${index % 10}` }, 70n),
    )
    const counted = (await Promise.all(asked)).filter((answer) => answer === 'counted')
    expect(counted).toHaveLength(57)
    expect(await ask(one, route, { organizationId: 'fresh' }, 11n)).toBe('10')
  })

  test('behavior: callers who only ask use up their own share, and without a key one half', async () => {
    const route = routeOf('asked for', 4_000n)
    const anonymous = (host: number) => ({ clientAddress: `192.0.2.${host}` })
    expect(await ask(one, route, anonymous(1), 1_001n)).toBe('1000')
    expect(await ask(one, route, anonymous(1), 1_000n)).toBe('counted')
    expect(await ask(other, route, anonymous(1), 1n)).toBe('0')
    expect(await ask(other, route, anonymous(2), 900n)).toBe('counted')
    expect(await ask(one, route, anonymous(3), 1_000n)).toBe('100')
    expect(await ask(one, route, anonymous(3), 100n)).toBe('counted')
    for (const host of [3, 4, 5]) expect(await ask(one, route, anonymous(host), 1n)).toBe('0')
    expect(await ask(one, route, { organizationId: 'a' }, 1_001n)).toBe('1000')
    expect(await ask(one, route, { organizationId: 'a' }, 1_000n)).toBe('counted')
    expect(await ask(one, route, { organizationId: 'b' }, 1_000n)).toBe('counted')
    expect(await ask(one, route, { organizationId: 'c' }, 1n)).toBe('0')
  })

  test('behavior: an unsubmitted quote counts until the chain is past its deadline, a submitted one for an hour, none twice', async () => {
    const route = routeOf('in time', 4_000n)
    const [sql] = pools as [Sql]
    const byAll = async (amount: bigint, count: number, deadline: number) => {
      for (let index = 0; index < count; index += 1) {
        const principal = { organizationId: `${deadline} ${index}` }
        expect(await ask(one, route, principal, amount, deadline)).toBe('counted')
      }
      return ask(one, route, { organizationId: `${deadline} last` }, 1n, deadline)
    }
    expect(await ask(one, route, { organizationId: 'submitted' }, 1_000n)).toBe('counted')
    await insertSources(sql, [
      {
        chain_id: 1,
        order_id: `0x${'ab'.repeat(32)}`,
        destination_eid: route.destination.eid,
        offer_asset: route.route.offerAsset,
        want_asset: route.route.wantAsset,
        offer_amount: 1_000n,
        deadline: DEADLINE,
        block_timestamp: now,
      },
    ])
    clock.advance(5_100)
    expect(await byAll(1_000n, 3, DEADLINE)).toBe('0')
    // The index is a second before the minute of the deadline, then a minute after it.
    await setHeadTime(sql, 1, DEADLINE - (DEADLINE % 60) - 1)
    clock.advance(5_100)
    expect(await ask(one, route, { organizationId: 'early' }, 1n)).toBe('0')
    await setHeadTime(sql, 1, DEADLINE + 60)
    clock.advance(5_100)
    expect(await byAll(1_000n, 3, DEADLINE + 660)).toBe('0')
    await sql`update facts.transit_source set block_timestamp = ${now - 3_601}`
    clock.advance(5_100)
    expect(await ask(one, route, { organizationId: 'later' }, 1_000n, DEADLINE + 660)).toBe(
      'counted',
    )
  })

  test('behavior: what is long past is deleted', async () => {
    const route = routeOf('old', 4_000n)
    const [sql] = pools as [Sql]
    await sql`insert into app.transit_quoted values ('old', 'route', ${Math.floor(now / 60) - 200}, 5)`
    expect(await ask(one, route, { organizationId: 'a' }, 1n)).toBe('counted')
    const rows = await sql`select share from app.transit_quoted where route = 'old' order by share`
    expect(rows.map(({ share }) => share)).toEqual(['organization:a', 'route'])
  })
})

/** The amount that is left, or that this amount was counted. */
async function ask(
  capacity: RouteCapacity,
  route: ResolvedRoute,
  principal: QuotePrincipal,
  amount: bigint,
  deadline = DEADLINE,
): Promise<string> {
  try {
    await capacity.reserve(route, { amount, deadline: BigInt(deadline), principal })
    return 'counted'
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'ROUTE_EXHAUSTED') throw error
    return error.metadata.remaining ?? ''
  }
}

/** A route of chain 1 whose quotes no other test counts. */
function routeOf(key: string, cap: bigint): ResolvedRoute {
  const [first] = resolvedRoutes(book)
  if (!first) throw new Error('the local world has routes')
  return { ...first, key, route: { ...first.route, hourlyCap: String(cap) } }
}
