import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startLocalPostgres } from '../../processes/start/localPostgres.ts'
import { freePorts } from '../support/freePorts.ts'

/** Closed to other accounts: if root runs this, the data of Postgres is in another place. */
let folder: string
let dataDirectory: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-clone-'))
  dataDirectory = join(folder, '.causeway')
})
afterEach(async () => {
  const postgresFolder = await readFile(join(dataDirectory, 'postgres-folder'), 'utf8')
  for (const path of [postgresFolder, folder]) await rm(path, { recursive: true, force: true })
})

describe('startLocalPostgres', () => {
  test('default: a later start continues with the data', async () => {
    expect(await run('one', 'create table kept as select 1 as one')).toEqual([])
    expect(await run('one', 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('behavior: a clone that was deleted and made again in the same place starts anew', async () => {
    await run('one', 'create table kept as select 1 as one')
    await rm(folder, { recursive: true })
    await mkdir(folder, { mode: 0o700 })
    const rows = await run('another', `select to_regclass('kept') as kept`)
    expect(rows).toEqual([{ kept: null }])
  })
})

async function run(password: string, statement: string) {
  const [port = 0] = await freePorts(1)
  const postgres = await startLocalPostgres({ dataDirectory, port, password })
  try {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return rows
  } finally {
    await postgres.stop()
  }
}
