import { expect, onTestFinished, test } from 'vitest'
import { benchAddressBook } from '../../bench/benchChains.ts'
import { listIndexBuilds } from '../../db/listIndexBuilds.ts'
import { connect } from '../../db/sql.ts'
import { devnetClient } from '../../devnet/world.ts'
import { startTestAnvils } from '../support/anvils.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { startTestIndexer, untilIndexed } from '../support/indexer.ts'
import { createTestDatabase } from '../support/postgres.ts'

const HEAD = 3

test('behavior: where a served build was dropped, a restart of the indexer brings it back', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const owner = connect(database.url, { applicationName: 'test', max: 1 })
  onTestFinished(() => owner.end())
  const { rpcUrls, wsUrls, stop } = await startTestAnvils([1])
  onTestFinished(stop)
  await devnetClient(1, rpcUrls[1] ?? '').mine({ blocks: HEAD })
  /** With the role of indexers, which does not own `app`. */
  const start = async () => {
    const indexer = await startTestIndexer({
      databaseUrl: database.url,
      addressBook: benchAddressBook,
      chainIds: [1],
      rpcUrls,
      wsUrls,
    })
    onTestFinished(indexer.stop)
    await untilIndexed(owner, { 1: HEAD })
    return indexer
  }
  const first = await start()
  await first.stop()
  const [served] = await owner<{ schema: string }[]>`
    select postgres_schema as schema from app.index_build where state = 'served'`
  await owner`drop schema ${owner(served?.schema ?? '')} cascade`
  await start()
  expect(await listIndexBuilds(owner)).toMatchObject([{ state: 'served' }])
  const api = connect(asProcessRole(database.url, 'api'), { applicationName: 'test', max: 1 })
  onTestFinished(() => api.end())
  expect(await api`select block_number from read.chain_progress`).toEqual([
    { block_number: BigInt(HEAD) },
  ])
}, 60_000)
