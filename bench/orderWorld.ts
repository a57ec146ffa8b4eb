import type { Hex } from 'viem'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { ORDERS_BY_ID } from '../domain/transit/orders/orderSides.ts'
import { benchChains } from './benchChains.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { serveIdleChains } from './idleChains.ts'
import { createPeerSchema } from './peers/peerSchema.ts'
import { seededSchema } from './seedBuilds.ts'
import { seedOrders } from './seedOrders.ts'

/** The orders that are asked for; more of them than any cache of the service holds are asked over a million. */
const MOST_ASKED = 100_000
export const CHAINS = { few: 6, many: 12 }

export type AskedOrder = { id: Hex }

export type OrderWorld = {
  databaseUrl: string
  /** A copy with twelve chains instead of six; null unless it was asked for. */
  manyChainsUrl: string | null
  orderCount: number
  /** Orders of chain 1, in an order that no index has. */
  asked: AskedOrder[]
}

/** A Postgres with this many orders, served over six chains; also as the peers read them. Ends with the stack. */
export async function startOrderWorld(
  stack: AsyncDisposableStack,
  orderCount: number,
  hasManyChains: boolean,
): Promise<OrderWorld> {
  const postgres = await startBenchPostgres()
  stack.defer(postgres.stop)
  const databaseUrl = postgres.url
  await migrate(databaseUrl)
  await seedOrders(databaseUrl, orderCount)
  await serveIdleChains(databaseUrl, CHAINS.few)
  const manyChainsUrl = hasManyChains ? await copyOf(databaseUrl) : null
  if (manyChainsUrl) await serveIdleChains(manyChainsUrl, CHAINS.many)
  await createPeerSchema(
    databaseUrl,
    benchChains.map(({ id }) => seededSchema(id)),
  )
  const asked = await readAskedOrders(databaseUrl, MOST_ASKED)
  // Otherwise the targets over twelve chains would read from disk what the others have in memory.
  for (const url of [databaseUrl, manyChainsUrl]) if (url) await readAll(url, asked)
  return { databaseUrl, manyChainsUrl, orderCount, asked }
}

const READ_AT_ONCE = 1_000

async function readAll(databaseUrl: string, asked: AskedOrder[]) {
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  for (let from = 0; from < asked.length; from += READ_AT_ONCE) {
    const ids = asked.slice(from, from + READ_AT_ONCE).map(({ id }) => id)
    await sql.unsafe(ORDERS_BY_ID, [ids])
  }
  await sql.end()
}

/** Orders of chain 1, in an order that no index has. Then all seeded rows are on disk. */
export async function readAskedOrders(databaseUrl: string, most: number): Promise<AskedOrder[]> {
  const sql = connect(databaseUrl, { applicationName: 'bench', max: 1 })
  const asked = await sql<AskedOrder[]>`
    select order_id as id
    from ${sql(`${seededSchema(1)}.transit_source`)}
    order by md5(order_id) limit ${most}`
  // Otherwise Postgres would write the seeded rows to disk while reads are measured.
  await sql`checkpoint`
  await sql.end()
  return [...asked]
}

async function copyOf(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const template = url.pathname.slice(1)
  url.pathname = '/template1'
  const sql = connect(url.href, { applicationName: 'bench', max: 1 })
  const name = `${template}_copy`
  await sql`create database ${sql(name)} template ${sql(template)}`
  await sql.end()
  url.pathname = `/${name}`
  return url.href
}
