import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseUrlError } from '../../db/databaseUrl.ts'
import { probeSessions } from '../../db/probeSessions.ts'
import { resolveDatabaseUrls } from '../../db/resolveDatabaseUrls.ts'
import { connect } from '../../db/sql.ts'
import { holdBuildLock } from '../../processes/indexer/buildLock.ts'
import { createLogger } from '../../processes/logger.ts'
import { spawnedCommand } from '../support/endedCommand.ts'
import { type PgBouncer, pgbouncerProgram, startPgBouncer } from '../support/pgbouncer.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

// Skipped without Debian's package `pgbouncer`; npm has none.
describe.skipIf(pgbouncerProgram() === null)('PgBouncer', () => {
  const started = new AsyncDisposableStack()
  let database: TestDatabase
  let poolers: Record<'session' | 'transaction', PgBouncer>
  let pooledUrls: Record<'session' | 'transaction', string>

  beforeAll(async () => {
    database = await createTestDatabase()
    started.defer(database.drop)
    const start = async (mode: 'session' | 'transaction') => {
      const pooler = await startPgBouncer(database.url, { mode })
      started.defer(pooler.stop)
      return pooler
    }
    const through = async ({ url }: PgBouncer) => {
      const given = { DATABASE_URL: url, DATABASE_DIRECT_URL: database.url }
      const { databaseUrl, directUrl } = await resolveDatabaseUrls(given)
      expect(directUrl).toBe(database.url)
      return databaseUrl
    }
    poolers = { session: await start('session'), transaction: await start('transaction') }
    pooledUrls = {
      session: await through(poolers.session),
      transaction: await through(poolers.transaction),
    }
  })
  afterAll(() => started.disposeAsync())

  test('behavior: each mode is noticed, idle or busy', async () => {
    expect(await probeSessions(database.url)).toBe('direct')
    expect(await probeSessions(poolers.session.url)).toBe('session')
    expect(await probeSessions(poolers.transaction.url)).toBe('transaction')
    const sql = connect(pooledUrls.transaction, { applicationName: 'test-load' })
    const loads = Array.from({ length: 6 }, () => sql`select pg_sleep(0.4)`)
    expect(await probeSessions(poolers.transaction.url)).toBe('transaction')
    await Promise.all(loads)
    await sql.end()
  })

  test.each(['session', 'transaction'] as const)('error: %s mode alone', async (mode) => {
    const resolving = resolveDatabaseUrls({ DATABASE_URL: poolers[mode].url })
    await expect(resolving).rejects.toThrow(DatabaseUrlError)
    await expect(resolving).rejects.toThrow(/^DATABASE_DIRECT_URL: is not set, but .* Set it to/)
  })

  test('error: an indexer does not start through transaction mode alone', async () => {
    const variables = { DATABASE_URL: poolers.transaction.url }
    const { code, stderr } = await spawnedCommand('processes/indexer.ts', [], variables)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^ {2}DATABASE_DIRECT_URL: is not set, but DATABASE_URL leads through/m)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('behavior: one indexer at a time holds a build through session mode', async () => {
    const waiting = new AbortController()
    const hold = (signal = waiting.signal) =>
      holdBuildLock(poolers.session.url, 'index_1_pooled', {
        signal,
        onLost: () => {},
        logger: createLogger('test', 'silent'),
      })
    const first = await hold()
    const second = hold()
    setTimeout(() => waiting.abort(), 100)
    expect(await second).toBe(null)
    await first?.release()
    const next = await hold(new AbortController().signal)
    expect(next).not.toBe(null)
    await next?.release()
  })

  test('error: the direct URL leads through a pooler in transaction mode too', async () => {
    const resolving = resolveDatabaseUrls({
      DATABASE_URL: poolers.transaction.url,
      DATABASE_DIRECT_URL: poolers.transaction.url,
    })
    await expect(resolving).rejects.toThrow(/^DATABASE_DIRECT_URL: leads through/)
  })

  test('error: the direct URL names another database', async () => {
    const other = await createTestDatabase()
    const resolving = resolveDatabaseUrls({
      DATABASE_URL: poolers.transaction.url,
      DATABASE_DIRECT_URL: other.url,
    })
    await expect(resolving).rejects.toThrow(/^DATABASE_DIRECT_URL: names another database/)
    await other.drop()
  })

  describe.each(['session', 'transaction'] as const)('%s mode', (mode) => {
    let sql: Sql
    beforeAll(() => {
      sql = connect(pooledUrls[mode], { applicationName: 'test', max: 4 })
    })
    afterAll(() => sql?.end())

    test('behavior: the same statements from many clients at once', async () => {
      const values = Array.from({ length: 200 }, (_, index) => index)
      const rows = await Promise.all(
        values.map((value) => sql`select ${value}::integer as value, ${randomBytes(4)} as bytes`),
      )
      expect(rows.map(([row]) => row?.value)).toEqual(values)
    })

    test('behavior: transactions, and no compilation', async () => {
      await sql.begin(async (transaction) => {
        await transaction`select pg_advisory_xact_lock(1)`
        expect(await transaction`show jit`).toEqual([{ jit: 'off' }])
      })
    })
  })
})
