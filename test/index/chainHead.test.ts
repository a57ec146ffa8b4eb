import type { Sql } from 'postgres'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect } from '../../db/sql.ts'
import { reorganise } from '../../devnet/reorganise.ts'
import { type DevnetClient, type World, worldClient } from '../../devnet/world.ts'
import { startTestWorld } from '../support/anvils.ts'
import { startTestIndexer } from '../support/indexer.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { placeOnOneChain } from '../support/placeOnOneChain.ts'
import { createTestDatabase } from '../support/postgres.ts'

/** Ponder's depth of a chain that it does not know otherwise. It finalizes at twice the depth. */
const FINALITY_DEPTH = 65

/** The head of a chain as a real indexer writes it. */
describe('chain_head', () => {
  const started = new AsyncDisposableStack()
  let sql: Sql
  let world: World
  let client: DevnetClient
  type Indexer = { stop(): Promise<void> }
  let startIndexer: () => Promise<Indexer>
  let indexer: Indexer

  beforeAll(async () => {
    const database = await createTestDatabase()
    started.defer(database.drop)
    sql = connect(database.url, { applicationName: 'test', max: 3 })
    started.defer(() => sql.end())
    const { stop, addressBook, wsUrls, ...made } = await startTestWorld([1])
    started.defer(stop)
    world = made.world
    client = worldClient(world, 1)
    const { rpcUrls } = world
    startIndexer = async () => {
      const options = { databaseUrl: database.url, addressBook, chainIds: [1], rpcUrls, wsUrls }
      const indexer = await startTestIndexer(options)
      started.defer(indexer.stop)
      return indexer
    }
    indexer = await startIndexer()
    await client.mine({ blocks: 2 })
  })
  afterAll(() => started.disposeAsync())

  type Head = { block_hash: Hex; last_change_hash: Hex }
  /** The head once it is the newest block of the node. */
  const indexedHead = () =>
    vi.waitFor(
      async () => {
        const { hash } = await client.getBlock()
        const [head] = await sql<Head[]>`
          select block_hash, last_change_hash from read.chain_progress where is_ready`
        expect(head?.block_hash).toBe(hash)
        return head as Head
      },
      { timeout: PATIENCE_MS },
    )
  const mine = () => client.mine({ blocks: 1 })
  const place = () => placeOnOneChain(world)

  test('behavior: notes the last block with a log of ours, through reorganisations and restarts', async () => {
    const first = await indexedHead()
    await mine()
    expect((await indexedHead()).last_change_hash).toBe(first.last_change_hash)

    await place()
    const changed = await indexedHead()
    expect(changed.last_change_hash).toBe(changed.block_hash)
    await mine()
    await mine()
    expect((await indexedHead()).last_change_hash).toBe(changed.block_hash)

    // The order was in the first of these three blocks.
    await reorganise(client, 3)
    expect((await indexedHead()).last_change_hash).toBe(first.last_change_hash)

    // A restart goes back to the head of a finalized block. Until there is one, it deletes the head.
    await client.mine({ blocks: 2 * FINALITY_DEPTH + 20 })
    await indexedHead()
    // The next order comes while the indexer is down. The indexer writes no head for its block.
    await indexer.stop()
    await place()
    const placed = Number(await client.getBlockNumber())
    await client.mine({ blocks: 3 })
    indexer = await startIndexer()
    await mine()
    const { last_change_hash } = await indexedHead()
    const changedLast = await client.getBlock({ blockHash: last_change_hash })
    expect(Number(changedLast.number)).toBeGreaterThanOrEqual(placed)
  })

  test('behavior: a reorganisation that waits for the heads has locked no other table', async () => {
    await place()
    await indexedHead()
    const [{ schema = '' } = {}] = await sql<{ schema: string }[]>`
      select postgres_schema as schema from app.index_build where state = 'served'`
    const locked = await sql.begin(async (reader) => {
      await reader.unsafe(`lock table ${schema}.chain_head in access share mode`)
      // The new block has no order, so it is another one.
      await reorganise(client, 1)
      return vi.waitFor(
        async () => {
          const [waiting] = await sql<{ pid: number }[]>`
            select pid from pg_locks
            where not granted and relation = ${`${schema}.chain_head`}::regclass`
          expect(waiting).toBeDefined()
          return sql<{ name: string }[]>`
            select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
            where l.pid = ${waiting?.pid ?? 0} and l.granted and l.mode = 'AccessExclusiveLock'`
        },
        { timeout: PATIENCE_MS },
      )
    })
    expect(locked.map(({ name }) => name)).toEqual([])
    await indexedHead()
  })
})
