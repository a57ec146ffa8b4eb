import { connect } from '../../db/sql.ts'

/** The Postgres schema in which the peers find the rows of all chains. */
export const PEER_SCHEMA = 'bench_peer'

/** The tables of an order, by primary key. */
const KEYS = {
  transit_source: '(chain_id, order_id)',
  transit_destination: '(chain_id, order_id)',
}

/**
 * Copies the rows of orders of all builds into one table each, with the key that Ponder gives it and an index by order:
 * one app with all chains would write them so.
 */
export async function createPeerSchema(databaseUrl: string, postgresSchemas: string[]) {
  const sql = connect(databaseUrl, { applicationName: 'bench-seed', max: 3 })
  try {
    await sql.unsafe(`create schema ${PEER_SCHEMA}`)
    await Promise.all(
      Object.entries(KEYS).map(async ([table, key]) => {
        const rows = postgresSchemas.map((schema) => `select * from ${schema}.${table}`)
        const copy = `${PEER_SCHEMA}.${table}`
        await sql.unsafe(`create table ${copy} (like ${postgresSchemas[0]}.${table})`)
        await sql.unsafe(`insert into ${copy} ${rows.join(' union all ')}`)
        await sql.unsafe(`alter table ${copy} add primary key ${key}`)
        await sql.unsafe(`create index on ${copy} (order_id)`)
        await sql.unsafe(`vacuum (analyze) ${copy}`)
      }),
    )
  } finally {
    await sql.end()
  }
}
