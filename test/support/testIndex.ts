import type { ISql, Sql } from 'postgres'
import { type Build, registerBuild, serveBuild } from '../../db/indexBuilds.ts'
import type { ReadChain } from '../../db/readViews/chainViews.ts'
import { beginCopy } from '../../db/transitSides.ts'

/** The Postgres schema of the one build that is served in tests of the API. */
export const BUILD = 'facts'
/** The head of each chain in the template. */
export const HEADS = { 1: 1_000, 4663: 99 }
const HEAD_TIME = 1_700_000_000
const CHECKPOINT = '0'.repeat(75)

/** Serves the build on the chains of `heads` too, through the product's own views. */
export async function serveTestIndex(sql: Sql, chains: ReadChain[], heads: Record<number, number>) {
  const chainIds = Object.keys({ ...HEADS, ...heads }).map(Number)
  for (const [id, block] of Object.entries(heads)) {
    await sql`
      insert into facts._ponder_checkpoint
      values (${id}, ${Number(id)}, ${CHECKPOINT}, ${CHECKPOINT}, ${CHECKPOINT})`
    const hash = `0x${id.padStart(64, '0')}`
    await sql`
      insert into facts.chain_head
      values (${Number(id)}, ${block}, ${hash}, ${HEAD_TIME}, ${hash}, true)`
    await sql`
      insert into app.index_high_water (chain_id, block_number) values (${Number(id)}, ${block})`
  }
  const build: Build = { postgresSchema: BUILD, chainIds, buildHash: 'test' }
  await registerBuild(sql, build)
  await beginCopy(sql, BUILD)
  await serveBuild(sql, build, chains)
}

/** A chain is not ready while a restarted indexer may write rows above its head. */
export async function setReady(sql: Sql, chainId: number, isReady: boolean) {
  await sql`update facts.chain_head set is_ready = ${isReady} where chain_id = ${chainId}`
}

/** Sets the time of a chain's head, in Unix seconds. */
export async function setHeadTime(sql: Sql, chainId: number, time: number) {
  await sql`update facts.chain_head set block_timestamp = ${time} where chain_id = ${chainId}`
  await replaceHeads(sql)
}

/** Gives every chain another head of the same number, as the transaction of a block that changes rows or of a reorganisation does. */
export async function replaceHeads(sql: ISql) {
  await sql`
    update facts.chain_head set block_hash = other.hash, last_change_hash = other.hash
    from (select '0x' || md5(random()::text) || md5(random()::text) as hash) other`
}

type Column = { name: string; type: string }
type Json = string | number | boolean | null
type Value = Json | bigint | { [name: string]: Json }[]

let logs = 0
/** Cached, because every database of a run has the same tables. */
const requiredColumns = new Map<string, Column[]>()

/**
 * Inserts rows into a table of the build, with another head, as the transaction of a block does. A column that a row leaves
 * out is null, or zero where it must not be.
 */
export async function insertFacts(sql: ISql, table: string, rows: Record<string, Value>[]) {
  if (rows.length === 0) return
  const columns = requiredColumns.get(table) ?? (await selectRequired(sql, table))
  requiredColumns.set(table, columns)
  const filled = rows.map((row) => {
    const values = Object.entries({ ...zeros(columns), ...row })
    return Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
    )
  })
  await sql`
    insert into ${sql(`${BUILD}.${table}`)}
    select * from jsonb_populate_recordset(null::${sql(`${BUILD}.${table}`)}, ${sql.json(filled)})`
  await replaceHeads(sql)
}

function selectRequired(sql: ISql, table: string) {
  return sql<Column[]>`
    select column_name as name, udt_name as type from information_schema.columns
    where table_schema = ${BUILD} and table_name = ${table} and is_nullable = 'NO'`
}

/** No two rows come from the same log. */
function zeros(columns: Column[]): Record<string, Value> {
  logs += 1
  const zero = { text: `0x${'00'.repeat(32)}`, bool: false, json: [] }
  const values = columns.map(({ name, type }) => [name, zero[type as keyof typeof zero] ?? 0])
  return { ...Object.fromEntries(values), log_index: logs }
}
