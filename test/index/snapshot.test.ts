import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runAdmin } from '../../cli/admin/runAdmin.ts'
import { digest, type Manifest, pathOfTable } from '../../cli/snapshot/manifest.ts'
import { BUILD_LOCK } from '../../db/indexBuilds.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { devnetClient, worldClient } from '../../devnet/world.ts'
import {
  startTestAnvils,
  startTestWorld,
  type TestAnvils,
  type TestWorld,
} from '../support/anvils.ts'
import { endedCommand } from '../support/endedCommand.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { startLimitedNode } from '../support/limitedNode.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { changedSnapshot, changeManifest, forge } from './changedSnapshot.ts'

const ORDERS = 5
/** Blocks before the last order, so that the numbers of the orders' blocks have two digits and three. */
const APART = 100
/** Deeper than the blocks that Ponder takes for finalized. */
const DEEP = 100

describe('a snapshot of a chain', () => {
  const started = new AsyncDisposableStack()
  let folder: string
  let local: TestWorld
  let source: TestDatabase
  let others: TestAnvils
  let manifest: Manifest
  const snapshot = () => join(folder, 'snapshot')

  const admin = (databaseUrl: string, ...parameters: string[]) =>
    endedCommand(runAdmin, parameters, {
      DATABASE_URL: databaseUrl,
      APP_SECRET: randomBytes(32).toString('hex'),
      RPC_URL_1: local.world.rpcUrls[1],
    })

  async function emptyDatabase(): Promise<{ url: string; sql: Sql }> {
    const database = await createTestDatabase()
    const sql = connect(database.url, { applicationName: 'test', max: 2 })
    onTestFinished(async () => {
      await sql.end()
      await database.drop()
    })
    return { url: database.url, sql }
  }

  function startIndexer(databaseUrl: string, rpcUrl: string) {
    return startTestIndexer({
      databaseUrl,
      addressBook: { ...local.addressBook, environment: 'STAGING' },
      chainIds: [1],
      rpcUrls: { 1: rpcUrl },
    })
  }

  async function submissionsOf(databaseUrl: string) {
    const sql = connect(databaseUrl, { applicationName: 'test', max: 1 })
    return sql`select * from read.transit_source order by order_id`.finally(() => sql.end())
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-snapshot-'))
    started.defer(() => rm(folder, { recursive: true, force: true }))
    local = await startTestWorld([1])
    started.defer(local.stop)
    others = await startTestAnvils([1, 4663])
    started.defer(others.stop)
    source = await createTestDatabase()
    started.defer(source.drop)
    const client = worldClient(local.world, 1)
    for (let order = 0; order < ORDERS; order += 1) {
      if (order === ORDERS - 1) await client.mine({ blocks: APART })
      await placeOrder(local.world, {
        user: DEVNET_USERS[0] as (typeof DEVNET_USERS)[number],
        sourceChainId: 1,
        destinationChainId: 1,
        offerAsset: DEPLOYMENT.tokens.USDC,
        wantAsset: DEPLOYMENT.tokens.USDG,
        offerAmount: 10_000_000n + BigInt(order),
      })
    }
    await client.mine({ blocks: DEEP })
    const head = Number(await client.getBlockNumber())
    await devnetClient(1, others.rpcUrls[1] ?? '').mine({ blocks: head })
    const indexer = await startIndexer(source.url, local.world.rpcUrls[1] ?? '')
    started.defer(() => indexer.stop())
    const sql = connect(source.url, { applicationName: 'test', max: 1 })
    started.defer(() => sql.end())
    await untilIndexed(sql, { 1: head })
    const { code, stdout, stderr } = await admin(
      source.url,
      '--json',
      'index',
      'snapshot',
      '1',
      '--to',
      snapshot(),
    )
    expect([code, stderr]).toEqual([0, ''])
    manifest = JSON.parse(stdout)
  })
  afterAll(() => started.disposeAsync())

  test('default', async () => {
    expect(await submissionsOf(source.url)).toHaveLength(ORDERS)
    expect(manifest).toMatchObject({
      format: 1,
      chainId: 1,
      build: expect.stringMatching(/^index_1_/),
    })
    const sourceSql = connect(source.url, { applicationName: 'test', max: 1 })
    const [cached] = await sourceSql<{ last: number; blocks: number; logs: number }[]>`
      select (select max(number)::integer from ponder_sync.blocks) as last,
        (select count(*)::integer from ponder_sync.blocks) as blocks,
        (select count(*)::integer from ponder_sync.logs) as logs`.finally(() => sourceSql.end())
    expect({
      last: manifest.block.number,
      blocks: manifest.files.blocks.rows,
      logs: manifest.files.logs.rows,
    }).toEqual(cached)
    expect(manifest.files.logs.rows).toBeGreaterThanOrEqual(ORDERS)
    const { url, sql } = await emptyDatabase()
    const restored = await admin(url, 'index', 'restore', snapshot())
    expect(restored.stderr).toBe('')
    expect(restored.stdout).toContain(`chain 1 up to block ${manifest.block.number}`)
    expect(await sql`select actor, action, subject, details from app.audit`).toEqual([
      {
        actor: expect.stringMatching(/^cli:/),
        action: 'index.restore',
        subject: '1',
        details: { block: manifest.block.number, hash: manifest.block.hash },
      },
    ])

    const node = await startLimitedNode({
      rpcUrl: local.world.rpcUrls[1] ?? '',
      logBlocks: 1_000_000,
      firstState: 0,
    })
    onTestFinished(node.stop)
    const indexer = await startIndexer(url, node.rpcUrl)
    onTestFinished(() => indexer.stop())
    const head = Number(await worldClient(local.world, 1).getBlockNumber())
    await untilIndexed(sql, { 1: head })
    expect(await submissionsOf(url)).toEqual(await submissionsOf(source.url))
    // No logs were asked of the blocks that the snapshot has.
    const first = node.firstBlocksOfLogs.filter((block) => block > 0)
    expect(Math.min(...first)).toBe(manifest.block.number + 1)
  })

  test('behavior: an older cache is replaced', async () => {
    const { url, sql } = await emptyDatabase()
    await admin(url, 'index', 'restore', snapshot())
    await sql`delete from ponder_sync.blocks where number > 10`
    await sql`update ponder_sync.intervals set blocks = '{[0,11]}'`
    const { code } = await admin(url, 'index', 'restore', snapshot())
    expect(code).toBe(0)
    const [blocks] = await sql<{ rows: number }[]>`
      select count(*)::integer as rows from ponder_sync.blocks`
    expect(blocks?.rows).toBe(manifest.files.blocks.rows)
  })

  test('behavior: rows of many kilobytes', async () => {
    const { url, sql } = await emptyDatabase()
    await admin(url, 'index', 'restore', snapshot())
    const input = `0x${'ab'.repeat(500_000)}`
    await sql`update ponder_sync.transactions set input = ${input}`
    const to = join(folder, 'large')
    const { code, stderr } = await admin(url, 'index', 'snapshot', '1', '--to', to)
    expect([code, stderr]).toEqual([0, ''])
    const rows = gunzipSync(await readFile(pathOfTable(to, 'transactions')))
      .toString()
      .split('\n')
    expect(rows.filter((row) => row.includes(input))).toHaveLength(manifest.files.transactions.rows)
  })

  const flip = (digit: string) => (digit === '0' ? '1' : '0')
  test.each<[string, (copy: string) => Promise<void>, RegExp]>([
    [
      'a truncated file',
      (copy) => truncate(pathOfTable(copy, 'logs'), 100),
      /logs\.copy\.gz is damaged: it has 100 bytes/,
    ],
    [
      'a damaged file',
      async (copy) => {
        const path = pathOfTable(copy, 'transactions')
        const bytes = await readFile(path)
        bytes[40] = (bytes[40] ?? 0) ^ 1
        await writeFile(path, bytes)
      },
      /transactions\.copy\.gz is damaged/,
    ],
    [
      'a missing file',
      (copy) => rm(pathOfTable(copy, 'intervals')),
      /intervals\.copy\.gz cannot be read \(ENOENT\)/,
    ],
    ['no manifest', (copy) => rm(join(copy, 'manifest.json')), /was not completed has none/],
    [
      'a manifest of another form',
      (copy) => writeFile(join(copy, 'manifest.json'), '{"format":2}'),
      /is no manifest of a snapshot/,
    ],
    [
      'another version of the cache',
      (copy) =>
        changeManifest(copy, (of) => {
          of.cacheVersion = '2030_01_01_0_later'
        }),
      /of another version of Ponder's cache \(2030/,
    ],
    [
      'rows of another chain',
      forge('blocks', (rows) => rows.map((row) => row.replace(/\t1\t/g, '\t4663\t'))),
      /has 0 rows of chain 1 up to block \d+/,
    ],
    [
      'fewer rows than the manifest names',
      (copy) =>
        changeManifest(copy, (of) => {
          of.files.logs.rows += 1
        }),
      /has \d+ rows of chain 1 .* the manifest names \d+/,
    ],
    [
      'an interval above the last block',
      forge('intervals', (rows) => rows.map((row) => row.replace(/,\d+\]/, ',999999]'))),
      /intervals\.copy\.gz has 0 rows of chain 1/,
    ],
    [
      'an interval of something else',
      forge('intervals', (rows) => rows.map((row) => row.replace(/log_1_/, 'trace_1_'))),
      /has an interval that is not of its chain: trace_1_/,
    ],
    [
      'another last block in the manifest and the file',
      async (copy) => {
        await forge('blocks', (rows) =>
          rows.map((row) => row.replace(manifest.block.hash, `0x${'ab'.repeat(32)}`)),
        )(copy)
        await changeManifest(copy, (of) => {
          of.block.hash = `0x${'ab'.repeat(32)}`
        })
      },
      /block \d+ of chain 1 is 0x\w+ at the node, the snapshot has 0xabab/,
    ],
    [
      'another last block in the file alone',
      forge('blocks', (rows) =>
        rows.map((row) => row.replace(manifest.block.hash, `0x${'ab'.repeat(32)}`)),
      ),
      /the snapshot has the block 0xabab\w+ at \d+, its manifest names 0x/,
    ],
    [
      'rows that are none',
      forge('logs', (rows) => [...rows, 'nothing']),
      /logs\.copy\.gz cannot be loaded: /,
    ],
    [
      'no file of rows',
      async (copy) => {
        const path = pathOfTable(copy, 'logs')
        await writeFile(path, 'plain text')
        await changeManifest(copy, async (of) => {
          of.files.logs = { rows: 1, ...(await digest(path)) }
        })
      },
      /logs\.copy\.gz cannot be loaded: incorrect header check/,
    ],
    [
      'other blocks',
      forge('blocks', (rows) =>
        rows.map((row) =>
          row.includes(manifest.block.hash)
            ? row
            : row.replace(/0x[0-9a-f]{64}\t/g, `0x${'cd'.repeat(32)}\t`),
        ),
      ),
      /^error: block \d+ of chain 1 is another one at the node/,
    ],
    [
      'other transactions',
      forge('transactions', (rows) =>
        rows.map((row) => row.replace(/\t0x[0-9a-f]{8}/, (start) => start.replace(/.$/, flip))),
      ),
      /a transaction of block \d+ of chain 1 is another one/,
    ],
    [
      'logs with other data',
      forge('logs', (rows) =>
        rows.map((row) => row.replace(/0x[0-9a-f]{65,}/, (data) => data.replace(/.$/, flip))),
      ),
      /the logs of the blocks \d+ to \d+ of chain 1 are not those of the node/,
    ],
    [
      'logs left out',
      forge('logs', () => []),
      /the logs of the blocks \d+ to \d+ of chain 1 are not those of the node/,
    ],
  ])('error: %s', async (_, change, message) => {
    const { url, sql } = await emptyDatabase()
    const copy = await changedSnapshot(snapshot(), change)
    const refused = await admin(url, 'index', 'restore', copy, '--samples', '200')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(message)])
    expect(await sql`select from app.audit`).toEqual([])
    const [cache] = await sql`select to_regclass('ponder_sync.logs') is not null as made`
    if (cache?.made)
      for (const table of ['blocks', 'logs', 'intervals'])
        expect(await sql`select from ponder_sync.${sql(table)}`).toEqual([])
  })

  test('error: a node of another chain, without the block, with another one, or none', async () => {
    const { url } = await emptyDatabase()
    const young = await startTestAnvils([1])
    onTestFinished(young.stop)
    const restore = async (rpc: string) =>
      (await admin(url, 'index', 'restore', snapshot(), '--rpc', rpc)).stderr
    expect(await restore(others.rpcUrls[4663] ?? '')).toMatch(
      /expected a node of chain 1, this one answers 0x1237/,
    )
    expect(await restore(others.rpcUrls[1] ?? '')).toMatch(/at the node, the snapshot has 0x/)
    expect(await restore(young.rpcUrls[1] ?? '')).toMatch(/the node does not have block \d+/)
    expect(await restore('nonsense')).toMatch(/RPC_URL_1: expected an http or https URL/)
  })

  test('error: the database is at the same block or further', async () => {
    const { url, sql } = await emptyDatabase()
    await admin(url, 'index', 'restore', snapshot())
    const again = await admin(url, 'index', 'restore', snapshot())
    expect(again.stderr).toMatch(/already has chain 1 up to block \d+, the snapshot ends at/)
    expect(await sql`select from app.audit`).toHaveLength(1)
  })

  test('error: an indexer of the chain runs', async () => {
    const { url, sql } = await emptyDatabase()
    await sql`insert into app.index_build (postgres_schema, chain_id, build_hash, state)
      values ('index_1_running', 1, 'running', 'building')`
    const session = await sql.reserve()
    onTestFinished(() => session.release())
    await session`select pg_advisory_lock(hashtext(${BUILD_LOCK}), hashtext('index_1_running'))`
    const refused = await admin(url, 'index', 'restore', snapshot())
    expect(refused.stderr).toMatch(/an indexer of chain 1 is running \(build index_1_running\)/)
    await session`select pg_advisory_unlock_all()`
  })

  test('error: a snapshot of nothing, or into a folder that exists', async () => {
    const { url } = await emptyDatabase()
    const nothing = await admin(url, 'index', 'snapshot', '1', '--to', join(folder, 'nothing'))
    expect(nothing.stderr).toMatch(/has no finalized block of chain 1/)
    const there = await admin(source.url, 'index', 'snapshot', '1', '--to', snapshot())
    expect(there.stderr).toMatch(/cannot be made \(EEXIST\)/)
  })

  test('error: a cache of something that a snapshot cannot hold', async () => {
    const { url, sql } = await emptyDatabase()
    await admin(url, 'index', 'restore', snapshot())
    await sql`insert into ponder_sync.intervals values ('trace_1_x', 1, '{[0,11]}')`
    const refused = await admin(url, 'index', 'snapshot', '1', '--to', join(folder, 'traces'))
    expect(refused.stderr).toMatch(/something that a snapshot cannot hold: trace_1_x/)
  })
})
