import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { localAddressBook } from '../../../devnet/localAddressBook.ts'
import { parseAddressBook } from '../../../domain/addressBook/addressBook.ts'
import { createReadStore } from '../../../domain/cache/keptReads.ts'
import { createChainClients } from '../../../domain/chain/chainClients.ts'
import type { ResolvedRoute } from '../../../domain/transit/routes/resolvedRoutes.ts'
import { createRouteLatencies } from '../../../domain/transit/routes/routeLatencies.ts'
import { undescribedEvent } from '../../support/describedAnswer.ts'
import { handClock } from '../../support/handClock.ts'
import { insertDestinations, insertSources } from '../../support/insertOrder.ts'
import { passOverChains } from '../../support/passOverChains.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'
import { HEADS, setHeadTime, setReady } from '../../support/testIndex.ts'

/** `transit.order.delayed` from the rows of an index, without nodes. */

const START = 1_700_000_000
const USER: Hex = `0x${'c3'.repeat(20)}`
const addressBook = parseAddressBook(localAddressBook(DEPLOYMENT, [1, 4663]), 'local')
const route = addressBook.transitRoutes.find(
  ({ sourceChainId, destinationChainId }) => sourceChainId === 1 && destinationChainId === 4663,
)
const destination = addressBook.chains.find(({ id }) => id === route?.destinationChainId)

type Event = { type: string; order_id: Hex; late_since?: string; sequence: number }

let database: TestDatabase
let sql: Sql
const clock = handClock()
const chains = createChainClients([], { chains: [] })
let look = (_?: number[]) => Promise.resolve(0)
let beforeLate = () => Promise.resolve()
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  sql = connect(database.url, { applicationName: 'test' })
  const routeLatencies = createRouteLatencies(sql, createReadStore('test', { max: 10, clock }))
  look = async (chainIds = [1, 4663]) => {
    clock.advance(10_001)
    const latencies = {
      async late(resolved: ResolvedRoute) {
        await beforeLate()
        return routeLatencies.late(resolved)
      },
    }
    const context = { sql, chains, addressBook, routeLatencies: latencies }
    return passOverChains(context, chainIds)
  }
  await watch('Watcher', USER)
  await watch('Other', `0x${'d4'.repeat(20)}`)
  await look()
  // Each of them took 20 s.
  for (let index = 0; index < 10; index += 1) await submit(index, START + index * 100, 20)
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

test('default: once per order that is open past the 99th percentile of its submission', async () => {
  await submit(20, START + 2_000)
  await setHeadTime(sql, 4663, START + 2_020)
  expect(await look()).toBe(0)
  await setHeadTime(sql, 4663, START + 2_021)
  expect(await look()).toBe(1)
  expect(await look()).toBe(0)
  const [event] = await events()
  expect(event).toMatchObject({
    type: 'transit.order.delayed',
    order_id: idOf(20),
    late_since: new Date((START + 2_020) * 1_000).toISOString(),
  })
  expect(undescribedEvent(event ?? {})).toEqual([])
})

test('behavior: paid later, or taken back with its submission, it stays, and comes no second time', async () => {
  await execute(20, START + 2_100)
  expect(await look()).toBe(0)
  await sql`delete from facts.transit_destination where order_id = ${idOf(20)}`
  expect(await look()).toBe(0)
  expect(await events()).toHaveLength(1)
})

test('behavior: a removed order is not late, nor one whose chain is behind, until it has caught up', async () => {
  await submit(30, START + 3_000)
  await submit(31, START + 3_001)
  await insertDestinations(sql, [
    { chain_id: 4663, order_id: idOf(31), status: 'REMOVED', last_block_timestamp: START + 3_002 },
  ])
  await setHeadTime(sql, 4663, START + 3_500)
  await setReady(sql, 4663, false)
  expect(await look()).toBe(0)
  await setReady(sql, 4663, true)
  expect(await look()).toBe(1)
  expect((await events()).at(-1)?.order_id).toBe(idOf(30))
})

test('behavior: it comes after the event of the submission', async () => {
  await submit(35, START + 3_600, undefined, HEADS[1] + 1)
  await setHeadTime(sql, 4663, START + 3_700)
  expect(await look([4663])).toBe(0)
  expect(await look([1, 4663])).toBe(1)
  expect((await events()).at(-1)?.order_id).toBe(idOf(35))
})

test('behavior: who watches later, or a day too late, is sent nothing', async () => {
  await watch('Later', USER)
  expect(await look()).toBe(0)
  await submit(40, START + 4_000)
  await setHeadTime(sql, 4663, START + 4_021 + 86_400)
  expect(await look()).toBe(0)
})

test('behavior: while routes are read in other sessions, a reorganisation can lock the index', async () => {
  let locks = 0
  beforeLate = async () => {
    await sql.begin(async (transaction) => {
      await transaction`set local lock_timeout = '1s'`
      await transaction`lock table read.chain_progress in access exclusive mode`
    })
    locks += 1
  }
  await look()
  expect(locks).toBeGreaterThan(0)
})

/** An organization with an endpoint for the orders of a user. */
async function watch(name: string, user: Hex) {
  await sql`
    with organization as (insert into app.organization (name) values (${name}) returning id)
    insert into app.webhook_endpoint (organization_id, url, event_types, filter)
    select id, 'https://example.com', '{transit.order.delayed}', ${`userAddress = ${user}`}
    from organization`
}

const idOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

async function submit(number: number, at: number, seconds?: number, block = 0) {
  await insertSources(sql, [
    {
      chain_id: route?.sourceChainId ?? 0,
      order_id: idOf(number),
      block_number: block,
      destination_eid: destination?.eid ?? 0,
      offer_asset: route?.offerAsset ?? '',
      want_asset: route?.wantAsset ?? '',
      user_address: USER,
      receiver: USER,
      integrator_fee_receiver: USER,
      block_timestamp: at,
    },
  ])
  if (seconds !== undefined) await execute(number, at + seconds)
}

async function execute(number: number, at: number) {
  await insertDestinations(sql, [
    { chain_id: 4663, order_id: idOf(number), status: 'PROCESSED', last_block_timestamp: at },
  ])
}

async function events(): Promise<Event[]> {
  const rows = await sql<{ body: Event }[]>`select body from app.event order by created_at, id`
  return rows.map(({ body }) => body)
}
