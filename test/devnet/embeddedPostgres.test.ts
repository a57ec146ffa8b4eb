import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { freePorts } from '../support/freePorts.ts'
import { isAlive } from '../support/isAlive.ts'

/** The tests share it, since to make its data takes seconds. */
let folder: string
let started: EmbeddedPostgres[] = []

async function start(): Promise<EmbeddedPostgres> {
  const [port = 0] = await freePorts(1)
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    port,
    password: 'a word',
  })
  started.push(postgres)
  return postgres
}

async function query({ url }: EmbeddedPostgres, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

describe('startEmbeddedPostgres', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-postgres-'))
    await chmod(folder, 0o755)
  })
  afterEach(async () => {
    for (const postgres of started) await postgres.stop()
    started = []
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('default', async () => {
    const first = await start()
    await query(first, 'create table kept as select 1 as one')
    await first.stop()
    expect(isAlive(first.pid)).toBe(false)
    expect(await query(await start(), 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('behavior: text is UTF-8 and sorts by bytes; a wrong password is refused', async () => {
    const postgres = await start()
    expect(
      await query(
        postgres,
        `select datcollate, pg_encoding_to_char(encoding) as encoding from pg_database
         where datname = 'postgres'`,
      ),
    ).toEqual([{ datcollate: 'C', encoding: 'UTF8' }])
    const wrong = {
      ...postgres,
      url: postgres.url.replace('a%20word', 'guess').replace('a word', 'guess'),
    }
    await expect(query(wrong, 'select 1')).rejects.toThrow('password')
  })

  test('behavior: after kill -9 the next start has what was committed', async () => {
    const first = await start()
    await query(first, 'create table kept_over_kill as select 1 as one')
    process.kill(first.pid, 'SIGKILL')
    await first.ended
    expect(await query(await start(), 'select one from kept_over_kill')).toEqual([{ one: 1 }])
  })

  test('behavior: one that a killed start left running is ended first', async () => {
    const left = await start()
    await query(left, 'create table kept_by_orphan as select 1 as one')
    expect(await query(await start(), 'select one from kept_by_orphan')).toEqual([{ one: 1 }])
    expect(isAlive(left.pid)).toBe(false)
  })

  test('behavior: a lock file whose process id is another program now', async () => {
    const first = await start()
    await first.stop()
    await writeFile(
      join(folder, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${join(folder, 'postgres')}\n0\n${1}\n\n127.0.0.1\n0 0\nready\n`,
    )
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(isAlive(process.pid)).toBe(true)
  })

  test('error: a port that is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const attempt = startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      port,
      password: 'a word',
    })
    await expect(attempt).rejects.toThrow('does not come up: FATAL')
    await new Promise((resolve) => server.close(resolve))
  })
})
