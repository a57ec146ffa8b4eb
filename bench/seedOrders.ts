import { readFileSync } from 'node:fs'
import { connect } from '../db/sql.ts'
import { benchAddressBook, benchChains } from './benchChains.ts'
import { chainFacts } from './chainFacts.ts'
import { seedBuilds } from './seedBuilds.ts'

export const ORDER_COUNT = 1_000_000

/** Seeds a migrated database with one million orders over two chains, and serves them. Takes a minute. */
export async function seedOrders(databaseUrl: string, orderCount = ORDER_COUNT) {
  const sql = connect(databaseUrl, { applicationName: 'bench-seed', max: 3 })
  try {
    await sql.unsafe('create schema if not exists bench_seed')
    const orders = readFileSync(new URL('seedOrders.sql', import.meta.url), 'utf8')
    await sql.unsafe(orders.replaceAll('ORDER_COUNT', String(orderCount)))
    await seedBuilds(sql, {
      databaseUrl,
      addressBook: benchAddressBook,
      chains: benchChains.map((chain) => ({ ...chain, inserts: chainFacts(chain) })),
    })
    await sql`drop schema bench_seed cascade`
  } finally {
    await sql.end()
  }
}
