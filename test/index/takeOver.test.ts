import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { benchAddressBook } from '../../bench/benchChains.ts'
import {
  type Build,
  dropOldBuilds,
  failBuild,
  registerBuild,
  resumeBuild,
  serveBuild,
} from '../../db/indexBuilds.ts'
import { unlockPonder } from '../../db/ponderTables.ts'
import { recoverLostViews } from '../../db/recoverLostViews.ts'
import { connect } from '../../db/sql.ts'
import { beginCopy } from '../../db/transitSides.ts'
import { devnetClient } from '../../devnet/world.ts'
import { holdBuildLock } from '../../processes/indexer/buildLock.ts'
import { createLogger } from '../../processes/logger.ts'
import { startTestAnvils } from '../support/anvils.ts'
import { freePorts } from '../support/freePorts.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startPostgresTap } from '../support/postgresTap.ts'
import { until } from '../support/until.ts'

const HEAD = 3
const NEXT: Build = { postgresSchema: 'next', chainIds: [1], buildHash: 'next' }
const CHAINS = [{ id: 1, eid: 30_101, finalityDepth: 65 }]

/** A build that is held between two blocks, since a live one is behind for milliseconds only. */
describe('serveBuild', () => {
  const started = new AsyncDisposableStack()
  let sql: Sql
  let url: string
  let first: Build
  let metrics: string
  /** The statements of one live block. */
  let statements: string[]

  beforeAll(async () => {
    const database = await createTestDatabase()
    started.defer(database.drop)
    url = database.url
    sql = connect(database.url, { applicationName: 'test', max: 3 })
    started.defer(() => sql.end())
    const { rpcUrls, wsUrls, stop } = await startTestAnvils([1])
    started.defer(stop)
    const [metricsPort = 0] = await freePorts(1)
    const tap = await startPostgresTap(database.url)
    started.defer(tap.stop)
    const indexer = await startTestIndexer({
      databaseUrl: tap.url,
      addressBook: benchAddressBook,
      chainIds: [1],
      rpcUrls,
      wsUrls,
      variables: { INDEXER_METRICS_PORT: String(metricsPort) },
    })
    started.defer(indexer.stop)
    const client = devnetClient(1, rpcUrls[1] ?? '')
    await client.mine({ blocks: HEAD - 1 })
    await untilIndexed(sql, { 1: HEAD - 1 })
    tap.takeStatements()
    await client.mine({ blocks: 1 })
    await untilIndexed(sql, { 1: HEAD })
    statements = tap.takeStatements()
    metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    await indexer.stop()
    await copyServedBuild()
    await registerBuild(sql, NEXT)
  }, 60_000)
  afterAll(() => started.disposeAsync())

  async function copyServedBuild() {
    const [served] = await sql<{ schema: string }[]>`
      select postgres_schema as schema from app.index_build where state = 'served'`
    first = { postgresSchema: served?.schema ?? '', chainIds: [1], buildHash: 'first' }
    const tables = await sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = ${served?.schema ?? ''}::regnamespace and relkind = 'r'`
    await sql`create schema next`
    for (const { name } of tables)
      await sql.unsafe(`create table next.${name} as table ${served?.schema}.${name}`)
  }

  const standAt = (block: number) => sql`update next.chain_head set block_number = ${block}`
  async function servedSchema() {
    const [row] = await sql<{ schema: string }[]>`
      select postgres_schema as schema from app.index_build where state = 'served'`
    return row?.schema
  }

  test('behavior: the indexer of the first one served its metrics', () => {
    expect(metrics).toContain(
      `causeway_indexer_build{chain="1",build="${first.postgresSchema}",state="served"} 1\n`,
    )
    expect(metrics).toMatch(/^causeway_indexer_head_block\{chain="1"\} 3$/m)
    expect(metrics).toMatch(/^causeway_indexer_block\{chain="1"\} 3$/m)
    expect(metrics).toMatch(/^causeway_indexer_lag_seconds\{chain="1"\} 0$/m)
    expect(metrics).toMatch(/^causeway_indexer_ponder_restarts_total 0$/m)
    expect(metrics).toMatch(
      /^causeway_rpc_request_duration_seconds_count\{chain="1",outcome="ok"\} /m,
    )
    expect(metrics).toMatch(/^causeway_rpc_calls_total\{chain="1",method="newHeads"\} [1-9]/m)
    expect(metrics).toMatch(/^causeway_indexer_blocks_total\{chain="1"\} [1-9]/m)
  })

  test('behavior: an empty block is written without temporary tables or updates of kept rows', () => {
    expect(statements.filter((text) => text.includes('ponder.checkpoint'))).toHaveLength(1)
    expect(statements.filter((text) => /temp table|_reorg__/i.test(text))).toEqual([])
  })

  test('behavior: the node was asked for the parents of the first block, not about an empty block', () => {
    expect(metrics).toMatch(/^causeway_rpc_calls_total\{.*method="eth_getBlockByHash"\} 2$/m)
  })

  test('error: behind what it replaces, it does not take over, and readers wait no longer', async () => {
    await standAt(HEAD - 1)
    const serving = serveBuild(sql, NEXT, CHAINS)
    const waited = performance.now()
    await sleep(50)
    const progress = sql`select block_number from read.chain_progress`
    await expect(serving).rejects.toThrow('next is behind')
    expect(await progress).toEqual([{ block_number: BigInt(HEAD) }])
    expect(performance.now() - waited).toBeLessThan(2_000)
    expect(await servedSchema()).not.toBe('next')
  })

  test('behavior: synced while readers wait, it takes over', async () => {
    // Readers wait for half a second only, in which a busy machine may not come to the second step.
    await until(async () => {
      await standAt(HEAD - 1)
      const serving = serveBuild(sql, NEXT, CHAINS).catch((error: unknown) => error)
      await sleep(100)
      await standAt(HEAD)
      const served = await serving
      if (served instanceof Error && served.message === 'next is behind') return false
      expect(served).toBe(true)
      return true
    })
    expect(await servedSchema()).toBe('next')
  })

  test('behavior: what was replaced takes over again only when it is deployed again', async () => {
    expect(await serveBuild(sql, first, CHAINS)).toBe(false)
    expect(await servedSchema()).toBe('next')
    await registerBuild(sql, first)
    expect(await serveBuild(sql, first, CHAINS)).toBe(true)
    expect(await servedSchema()).toBe(first.postgresSchema)
  })

  test('behavior: a later deployment that failed may still come up, though what serves was restarted', async () => {
    await registerBuild(sql, NEXT)
    await failBuild(sql, NEXT.postgresSchema, 'the database was away')
    expect(await resumeBuild(sql, first, [1])).toBe(true)
    expect(await serveBuild(sql, NEXT, CHAINS)).toBe(true)
    await registerBuild(sql, first)
    expect(await serveBuild(sql, first, CHAINS)).toBe(true)
  })

  test('behavior: of old builds the two that served last are kept, whatever failed since', async () => {
    const failed: Build = { postgresSchema: 'failed', chainIds: [1], buildHash: 'failed' }
    await registerBuild(sql, failed)
    await sql`create schema failed`
    await failBuild(sql, failed.postgresSchema, 'it failed')
    const kept = async () => {
      await dropOldBuilds(sql)
      const rows = await sql<{ schema: string }[]>`
        select postgres_schema as schema from app.index_build order by served_at`
      return rows.map(({ schema }) => schema)
    }
    // The process that makes it tries again.
    const lock = await holdBuildLock(url, failed.postgresSchema, {
      signal: AbortSignal.timeout(5_000),
      onLost: () => {},
      logger: createLogger('indexer', 'silent'),
    })
    expect(await kept()).toEqual(['next', first.postgresSchema, 'failed'])
    await lock?.release()
    expect(await kept()).toEqual(['next', first.postgresSchema])
  })

  test('behavior: a start makes nothing ready that is not read', async () => {
    const isReady = async ({ postgresSchema }: Build) =>
      (
        await sql.unsafe<{ ready: number }[]>(
          `select (value->>'is_ready')::integer as ready from ${postgresSchema}._ponder_meta`,
        )
      )[0]?.ready
    for (const { postgresSchema } of [first, NEXT]) await unlockPonder(sql, postgresSchema)
    expect([await isReady(first), await isReady(NEXT)]).toEqual([1, 0])
  })

  test('behavior: where `app` was restored without the views, the next build is served', async () => {
    const progress = () => sql`select block_number from read.chain_progress`
    await recoverLostViews(sql)
    expect(await progress()).toEqual([{ block_number: BigInt(HEAD) }])
    await sql`drop schema read cascade`
    await recoverLostViews(sql)
    expect([await progress(), await resumeBuild(sql, first, [1])]).toEqual([[], false])
    await registerBuild(sql, first)
    await beginCopy(sql, first.postgresSchema)
    expect(await serveBuild(sql, first, CHAINS)).toBe(true)
    expect(await progress()).toEqual([{ block_number: BigInt(HEAD) }])
  })

  test('error: behind an answer of a reader, it does not take over', async () => {
    await sql`
      insert into app.index_high_water (chain_id, block_number) values (1, ${HEAD + 1})
      on conflict (chain_id) do update set block_number = excluded.block_number`
    await registerBuild(sql, NEXT)
    await expect(serveBuild(sql, NEXT, CHAINS)).rejects.toThrow('next is behind')
  })
})
