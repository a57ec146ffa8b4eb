import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { pgOptions, readDatabaseUrl } from '../../db/databaseUrl.ts'
import { migrate } from '../../db/migrate.ts'
import { PgClient } from '../../db/primary.ts'
import { resolveDatabaseUrls } from '../../db/resolveDatabaseUrls.ts'
import { connect } from '../../db/sql.ts'
import { startTlsPostgres, type TlsPostgres } from '../support/tlsPostgres.ts'

const QUERY = `select ssl, current_setting('search_path') as path from pg_stat_ssl where pid = pg_backend_pid()`

type Session = { ssl: boolean; path: string }

/** One session of each way in which a process connects. */
const DRIVERS: Record<string, (url: string) => Promise<Session | undefined>> = {
  'postgres.js': async (url) => {
    const sql = connect(url, { applicationName: 'test', max: 1 })
    const [row] = await sql.unsafe<Session[]>(QUERY).finally(() => sql.end())
    return row && { ssl: row.ssl, path: row.path }
  },
  pg: async (url) => ask(new PgClient(pgOptions(url, 'test'))),
  // With the options that Ponder hands to `pg`.
  Ponder: async (url) =>
    ask(new pg.Client({ connectionString: readDatabaseUrl(url).url.href, ssl: false })),
}

async function ask(client: pg.Client): Promise<Session | undefined> {
  client.on('error', () => {})
  await client.connect()
  return (await client.query<Session>(QUERY).finally(() => client.end())).rows[0]
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

// Skipped without the command `openssl`, which makes the certificates.
describe.skipIf(!hasOpenssl)('a URL means the same to every driver', () => {
  let server: TlsPostgres
  beforeAll(async () => {
    server = await startTlsPostgres()
  })
  afterAll(() => server?.stop())

  /** `ROOT` and `OTHER` stand for the files of the CAs. */
  function urlWith(parameters: string, host = 'localhost'): string {
    const filled = parameters
      .replace('ROOT', encodeURIComponent(server.rootFile))
      .replace('OTHER', encodeURIComponent(server.otherRootFile))
    return `${server.url.replace('localhost', host)}?${filled}`
  }

  /** The outcome of every driver: whether the connection is encrypted, or the error. */
  async function connected(url: string): Promise<unknown[]> {
    const outcomes = await Promise.all(
      Object.values(DRIVERS).map((open) =>
        open(url).then(
          (session) => session?.ssl,
          (error: unknown) => String(error),
        ),
      ),
    )
    return [...new Set(outcomes)]
  }

  test.each([
    ['', false],
    ['sslmode=disable', false],
    ['sslmode=require', true],
    ['sslmode=no-verify', true],
    ['sslmode=no-verify&sslrootcert=OTHER', true],
    ['sslmode=require&sslrootcert=ROOT', true],
    ['sslmode=verify-ca&sslrootcert=ROOT', true],
    ['sslmode=verify-full&sslrootcert=ROOT', true],
    ['sslrootcert=ROOT', true],
    ['sslmode=require&channel_binding=require', true],
    ['sslmode=require&connect_timeout=15&application_name=x&target_session_attrs=read-write', true],
  ])('behavior: %s', async (parameters, isEncrypted) => {
    expect(await connected(urlWith(parameters))).toEqual([isEncrypted])
  })

  test.each([
    ['sslmode=verify-full', 'localhost', /self.signed|unable to/],
    ['sslmode=verify-full&sslrootcert=system', 'localhost', /self.signed|unable to/],
    ['sslmode=verify-full&sslrootcert=OTHER', 'localhost', /self.signed|unable to/],
    ['sslmode=require&sslrootcert=OTHER', 'localhost', /self.signed|unable to/],
    ['sslmode=verify-full&sslrootcert=ROOT', '127.0.0.1', /needs a host name/],
  ])('error: %s at %s', async (parameters, host, message) => {
    const outcomes = await connected(urlWith(parameters, host))
    for (const outcome of outcomes) expect(outcome).toMatch(message)
  })

  test('behavior: verify-ca takes the certificate under any name', async () => {
    const url = urlWith('sslmode=verify-ca&sslrootcert=ROOT', '127.0.0.1')
    expect(await connected(url)).toEqual([true])
  })

  test('behavior: PGSSLMODE counts where the URL names no mode', async () => {
    process.env.PGSSLMODE = 'no-verify'
    onTestFinished(() => void delete process.env.PGSSLMODE)
    expect(await connected(server.url)).toEqual([true])
    expect(await connected(urlWith('sslmode=disable'))).toEqual([false])
  })

  test('behavior: options reach the server', async () => {
    const url = urlWith(`sslmode=require&options=${encodeURIComponent('-c search_path=one,two')}`)
    const sessions = await Promise.all(Object.values(DRIVERS).map((open) => open(url)))
    for (const session of sessions) expect(session).toEqual({ ssl: true, path: 'one,two' })
  })

  test('behavior: prefer is encrypted where the server can, and plain elsewhere', async () => {
    const preferred = async (url: string) => {
      const { databaseUrl } = await resolveDatabaseUrls({ DATABASE_URL: url })
      return connected(databaseUrl)
    }
    expect(await preferred(urlWith('sslmode=prefer'))).toEqual([true])
    expect(await preferred(`${inject('postgresUrl')}?sslmode=prefer`)).toEqual([false])
  })

  test('behavior: migrations connect in the same way', async () => {
    await migrate(urlWith('sslmode=verify-full&sslrootcert=ROOT&channel_binding=require'))
    await expect(migrate(urlWith('sslmode=verify-full'))).rejects.toThrow(/self.signed|unable to/)
  })
})
