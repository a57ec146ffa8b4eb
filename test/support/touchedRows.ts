import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { connect } from '../../db/sql.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { AppContext } from '../../domain/appContext.ts'
import { createLogger } from '../../processes/logger.ts'
import { createServiceContext } from '../../processes/serviceContext.ts'
import { createTestDatabase } from './postgres.ts'
import { explainReads, type ReadPlan, type Statement } from './readPlans.ts'
import { SETTINGS } from './settings.ts'

type TouchedRowsOptions = {
  addressBook: AddressBookFile
  /** The tables whose rows and index entries count. */
  tables: readonly string[]
  /** Fills the database; `observer` may be used for it. */
  seed(databaseUrl: string, observer: Sql): Promise<unknown>
}

/** A service over its own database that counts the rows that its reads touch; no chain answers. */
export async function countTouchedRows({ addressBook, tables, seed }: TouchedRowsOptions) {
  await using starting = new AsyncDisposableStack()
  const database = await createTestDatabase()
  starting.defer(database.drop)
  const observer = connect(database.url, { applicationName: 'test', max: 3 })
  starting.defer(() => observer.end())
  await seed(database.url, observer)
  const service = createServiceContext({
    applicationName: 'causeway-test',
    databaseUrl: database.url,
    addressBook: parseAddressBook(addressBook, 'bench'),
    chainUrls: new Map(),
    appSecret: randomBytes(32),
    secretsKey: randomBytes(32),
    webhookTargets: { allowPrivate: false },
    quoteSigner: null,
    attestations: null,
    settings: SETTINGS,
    logger: createLogger('test', 'silent'),
  })
  starting.defer(service.stop)
  const context: AppContext = {
    ...service.context,
    requestId: 'test',
    caller: null,
    clientAddress: '127.0.0.1',
    freshness: new Map(),
    degraded: new Set(),
    lostChains: [],
  }

  /** Sessions report their counts at most a second late, or on request. */
  async function flushCounts() {
    // The observer's counts too: those of filling the tables must not be reported later.
    for (const sql of [context.sql, context.keySql, context.adHocSql, observer])
      await Promise.all(
        Array.from({ length: 10 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
      )
  }

  /** The scans of each table of the index, by schema and name. */
  async function scans(): Promise<Map<string, number>> {
    await flushCounts()
    const found = await observer<{ table: string; scans: number }[]>`
      select schemaname || '.' || relname as table,
        (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::double precision as scans
      from pg_stat_user_tables where schemaname like 'index\\_%'`
    return new Map(found.map(({ table, scans: count }) => [table, count]))
  }

  async function touched(): Promise<number> {
    await flushCounts()
    const [row] = await observer<{ touched: number }[]>`
      select (sum(t.seq_tup_read) + (
        select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relname = any(${tables})
      ))::double precision as touched
      from pg_stat_user_tables t where t.relname = any(${tables})`
    return row?.touched ?? 0
  }

  /** The statements that a read sends, with their parameters. */
  async function statementsOf(read: () => Promise<unknown>): Promise<Statement[]> {
    const sent: Statement[] = []
    const note = (_: number, text: string, parameters: unknown[]) => {
      sent.push({ text, parameters })
    }
    const connections = [context.sql, context.keySql, context.adHocSql]
    for (const sql of connections) sql.options.debug = note
    await read()
    for (const sql of connections) sql.options.debug = false
    return sent
  }

  const started = starting.move()
  return {
    statementsOf,
    /** The plans of a read's statements; `without` are indexes that Postgres lacks meanwhile. */
    async plansOf(
      read: () => Promise<unknown>,
      without: readonly string[] = [],
    ): Promise<ReadPlan[]> {
      const statements = await statementsOf(read)
      const session = await observer.reserve()
      try {
        await session`begin`
        for (const index of without) await session.unsafe(`drop index ${index}`)
        return await explainReads(session, statements)
      } finally {
        await session`rollback`
        session.release()
      }
    },
    context,
    observer,
    databaseUrl: database.url,
    /** Rows and index entries that were read meanwhile. */
    async touchedBy(read: () => Promise<unknown>): Promise<number> {
      const before = await touched()
      await read()
      return (await touched()) - before
    },
    /** The tables of the index that were scanned meanwhile. */
    async tablesReadBy(read: () => Promise<unknown>): Promise<string[]> {
      const before = await scans()
      await read()
      return [...(await scans())].flatMap(([table, count]) =>
        count > (before.get(table) ?? 0) ? [table] : [],
      )
    },
    stop: () => started.disposeAsync(),
  }
}

export type TouchedRows = Awaited<ReturnType<typeof countTouchedRows>>
