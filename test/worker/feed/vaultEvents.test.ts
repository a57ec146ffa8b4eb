import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../db/sql.ts'
import { createReadStore } from '../../../domain/cache/keptReads.ts'
import { createChainClients } from '../../../domain/chain/chainClients.ts'
import { RATE_WINDOW_SECONDS } from '../../../domain/feed/vaultOccurrences.ts'
import { createRouteLatencies } from '../../../domain/transit/routes/routeLatencies.ts'
import { undescribedEvent } from '../../support/describedAnswer.ts'
import { passOverChains } from '../../support/passOverChains.ts'
import {
  createTestDatabase,
  INDEX_TEMPLATE_DATABASE,
  type TestDatabase,
} from '../../support/postgres.ts'
import { seededRandom } from '../../support/seededRandom.ts'
import { HEADS, insertFacts } from '../../support/testIndex.ts'
import { bookOfVaults } from '../../support/vaultBook.ts'

/** Events of vaults from the rows of an index that grows, without nodes: no block is ever taken back. */

const VAULT = `0x${'7a'.repeat(20)}` as const
const OTHER = `0x${'7b'.repeat(20)}` as const
const FOREIGN = `0x${'7c'.repeat(20)}` as const
const addressBook = bookOfVaults([
  { chainId: 1, vault: VAULT, base: 'six decimals' },
  { chainId: 1, vault: OTHER, base: 'six decimals' },
])
/** A window begins here. */
const START = 1_700_000_100
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6))

let database: TestDatabase
let sql: Sql
let organizationId: string
let block = HEADS[1]
let time = START - 1_000
beforeAll(async () => {
  database = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  sql = connect(database.url, { applicationName: 'test' })
  const [organization] = await sql<{ id: string }[]>`
    insert into app.organization (name) values ('Watcher') returning id`
  organizationId = organization?.id ?? ''
  await sql`
    insert into app.webhook_endpoint (organization_id, url, event_types, filter)
    values (${organizationId}, 'https://example.com', '{vault.*}', ${`vaultAddress = ${VAULT}`})`
  // The first look sets the cursors.
  await look()
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const chains = createChainClients([], { chains: [] })
const look = () => {
  const routeLatencies = createRouteLatencies(sql, createReadStore('test', { max: 10 }))
  return passOverChains({ sql, chains, addressBook, routeLatencies }, [1])
}

/** A new head, `seconds` after the one before. */
async function mine(seconds: number, blocks = 1) {
  block += blocks
  time += seconds
  await sql`
    update facts.chain_head set block_number = ${block}, block_timestamp = ${time} where chain_id = 1`
}

/** A row of the newest block. */
const fact = (table: string, row: Record<string, string | boolean>) =>
  insertFacts(sql, table, [
    {
      chain_id: 1,
      block_number: block,
      block_timestamp: time,
      block_hash: hashOf(block),
      vault: VAULT,
      ...row,
    },
  ])

const rate = (newRate: string, row = {}) =>
  fact('exchange_rate', {
    old_rate: '1',
    new_rate: newRate,
    accountant: beside(VAULT, 2),
    is_in_use: true,
    ...row,
  })

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
/** The contracts of a vault in its address book. */
const beside = (vault: string, number: number) => `${vault.slice(0, -1)}${number}`

type Body = { type: string; exchange_rate: string; contract: string; [field: string]: unknown }

/** The events after the first `skipped`. */
async function events(skipped = 0): Promise<Body[]> {
  const rows = await sql<{ body: Body }[]>`
    select body from app.event where organization_id = ${organizationId}
    order by organization_sequence offset ${skipped}`
  for (const { body } of rows) expect(undescribedEvent(body)).toEqual([])
  return rows.map(({ body }) => body)
}

describe('events of vaults', () => {
  test('default: a pause of each contract, a cap, once, of the watched vault', async () => {
    const before = (await events()).length
    await mine(1)
    const [teller, accountant, depositor] = [1, 2, 3].map((number) => beside(VAULT, number))
    for (const contract of [teller, accountant, FOREIGN])
      await fact('vault_pause', { contract: contract ?? '', is_paused: true })
    await fact('vault_pause', { vault: OTHER, contract: beside(OTHER, 1), is_paused: true })
    await mine(1)
    await fact('vault_pause', { contract: teller ?? '', is_paused: false })
    for (const cap of ['5000000', String(2n ** 256n - 1n)])
      await fact('supply_cap', { depositor: depositor ?? '', cap })
    await fact('supply_cap', { depositor: FOREIGN, cap: '7' })
    expect([await look(), await look()]).toEqual([5, 0])
    const recorded = await events(before)
    expect(recorded.map(({ type, contract, supply_cap: cap }) => [type, contract ?? cap])).toEqual([
      ['vault.paused', 'teller'],
      ['vault.paused', 'accountant'],
      ['vault.unpaused', 'teller'],
      ['vault.cap_changed', '5000000'],
      ['vault.cap_changed', null],
    ])
    expect(recorded.at(-1)).toMatchObject({ cap_in: 'value', chain_id: '1', sequence: before + 5 })
  })

  test('behavior: a rate is an event at once, unless the vault does not use the accountant', async () => {
    const before = (await events()).length
    await mine(RATE_WINDOW_SECONDS)
    await rate('1001')
    await rate('1002', { is_in_use: false })
    await rate('1003', { vault: OTHER })
    await look()
    expect((await events(before)).map((body) => body.exchange_rate)).toEqual(['1001'])
    await mine(RATE_WINDOW_SECONDS, 100)
    expect(await look()).toBe(0)
  })

  test(`behavior: of a burst the first rate of each window, and the last when it is over (SEED=${SEED})`, async () => {
    const random = seededRandom(SEED)
    const before = (await events()).length
    const updates: { time: number; rate: string }[] = []
    await mine(RATE_WINDOW_SECONDS)
    for (let step = 0; step < 60; step += 1) {
      await mine(
        random.chance(0.1) ? random.integer(100, 700) : random.integer(0, 40),
        random.integer(1, 100),
      )
      for (let count = random.integer(0, 3); count > 0; count -= 1) {
        updates.push({ time, rate: String(2_000 + updates.length) })
        await rate(updates.at(-1)?.rate ?? '')
      }
      if (random.chance(0.6)) await look()
    }
    await mine(RATE_WINDOW_SECONDS)
    await look()
    expect(await look()).toBe(0)
    const windows = Map.groupBy(updates, (update) => Math.floor(update.time / RATE_WINDOW_SECONDS))
    const expected = [...windows.values()].flatMap((all) => [
      ...new Set([all.at(0)?.rate, all.at(-1)?.rate]),
    ])
    const recorded = (await events(before)).map((body) => body.exchange_rate)
    expect(recorded.toSorted()).toEqual(expected.toSorted())
    expect(recorded.length).toBeLessThan(updates.length)
    expect(recorded.at(-1)).toBe(updates.at(-1)?.rate)
  })

  test('behavior: events while the only endpoint is disabled are in the log, without a delivery', async () => {
    const before = (await events()).length
    await sql`
      update app.webhook_endpoint
      set status = 'disabled', disabled_reason = 'by_hand', disabled_at = now()`
    await mine(RATE_WINDOW_SECONDS)
    await rate('3001')
    await fact('vault_pause', { contract: beside(VAULT, 1), is_paused: true })
    const deliveries = async () => (await sql`select 1 from app.webhook_delivery`).length
    const delivered = await deliveries()
    expect(await look()).toBe(2)
    expect((await events(before)).map(({ type }) => type)).toEqual([
      'vault.rate_updated',
      'vault.paused',
    ])
    expect(await deliveries()).toBe(delivered)
  })
})
