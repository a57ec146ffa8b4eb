import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { createTestDatabase, withDatabase } from '../support/postgres.ts'

const run = promisify(execFile)

async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

/** An empty database on the server of the migrated clone. */
async function createEmptyDatabase() {
  const database = await createTestDatabase()
  await query(database.url, 'drop schema app cascade')
  return database
}

const migrations = 'select name from app.migration order by id'

describe('migrate', () => {
  test('default', async () => {
    const database = await createEmptyDatabase()
    await migrate(database.url)
    const tables = await query<{ name: string }>(
      database.url,
      `select table_name as name from information_schema.tables where table_schema = 'app' order by 1`,
    )
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['api_key', 'index_build', 'index_high_water', 'organization']),
    )
    await database.drop()
  })

  test('behavior: a second run changes nothing', async () => {
    const database = await createEmptyDatabase()
    await migrate(database.url)
    const first = await query(database.url, migrations)
    await migrate(database.url)
    expect(await query(database.url, migrations)).toEqual(first)
    await database.drop()
  })

  test('behavior: processes that start together wait for one another', async () => {
    const database = await createEmptyDatabase()
    const script = `import { migrate } from './db/migrate.ts'; await migrate(process.argv[1])`
    const starts = Array.from({ length: 4 }, () =>
      run(process.execPath, ['--input-type=module', '-e', script, database.url]),
    )
    await Promise.all(starts)
    const names = (await query<{ name: string }>(database.url, migrations)).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(0)
    await database.drop()
  })

  test('error: no database there', async () => {
    await expect(migrate(withDatabase(inject('postgresUrl'), 'nowhere'))).rejects.toThrow('nowhere')
  })
})
