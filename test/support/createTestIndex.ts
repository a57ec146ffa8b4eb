import type { Sql } from 'postgres'
import { createReadIndexes } from '../../db/readIndexes.ts'
import { connect } from '../../db/sql.ts'
import * as schema from '../../ponder.schema.ts'
import { testAddressBook } from './addressBook.ts'
import { BUILD, HEADS, serveTestIndex } from './testIndex.ts'

/** Ponder does not export these; its version is pinned. */
const PONDER = '../../node_modules/ponder/dist/esm'

type PonderKit = { getSql(tables: object): { tables: { sql: string[] } } }
type PonderTables = { getPonderMetaTable(): object; getPonderCheckpointTable(): object }

/** Adds to a migrated database what tests of the api read: a build without facts, which serves two chains. */
export async function createTestIndex(databaseUrl: string) {
  const sql = connect(databaseUrl, { applicationName: 'test-setup', max: 1 })
  try {
    await createBuildTables(sql)
    await serveTestIndex(sql, testAddressBook.chains, HEADS)
  } finally {
    await sql.end()
  }
}

/** Creates a build's tables as Ponder creates them from `ponder.schema.ts`, without its undo log. */
async function createBuildTables(sql: Sql) {
  const kit: PonderKit = await import(`${PONDER}/drizzle/kit/index.js`)
  const ponder: PonderTables = await import(`${PONDER}/database/index.js`)
  const { tables } = kit.getSql({
    ...schema,
    meta: ponder.getPonderMetaTable(),
    checkpoint: ponder.getPonderCheckpointTable(),
  })
  await sql.begin(async (transaction) => {
    await transaction.unsafe(`create schema ${BUILD}; set local search_path to ${BUILD}`)
    for (const statement of tables.sql)
      if (!statement.includes('"_reorg__')) await transaction.unsafe(statement)
    await transaction`insert into _ponder_meta values ('app', '{"is_ready": 1}')`
  })
  await createReadIndexes(sql, BUILD)
}
