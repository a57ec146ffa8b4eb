import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import {
  asRole,
  createDatabaseStatements,
  createRoleStatements,
  runStatements,
} from '../support/databaseRole.ts'
import { getJson } from '../support/getJson.ts'
import { installPostgres } from '../support/installPostgres.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { type PgBouncerOptions, pgbouncerProgram, startPgBouncer } from '../support/pgbouncer.ts'
import { createTestDatabase, withDatabase } from '../support/postgres.ts'
import { startTestProduct } from '../support/product.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'

/** The supported versions that the other tests do not run on. */
const VERSIONS = ['15.18.0-beta.17', '16.14.0-beta.17', '18.4.0-beta.17']
const user = userAt(0)

async function selectRows<Row>(databaseUrl: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return (await client.query(query).finally(() => client.end())).rows
}

type DatabaseVariables = { DATABASE_URL: string; DATABASE_DIRECT_URL: string }

/** The life of an order with real processes: indexer, API and worker. Their URLs may lead through poolers. */
async function liveOrder(
  databaseUrl: string,
  variables: DatabaseVariables | Record<string, never> = {},
) {
  await using started = new AsyncDisposableStack()
  const product = await startTestProduct({ chainIds: [1], databaseUrl, variables })
  started.defer(product.stop)
  const worker = startWorkerProcess({
    databaseUrl,
    addressBook: product.indexer.addressBook,
    rpcUrls: product.world.rpcUrls,
    appSecret: randomBytes(32).toString('hex'),
    variables,
  })
  started.defer(worker.stop)
  const { orderId } = await placeOrder(product.world, {
    user,
    sourceChainId: 1,
    destinationChainId: 1,
    offerAsset: DEPLOYMENT.tokens.USDC,
    wantAsset: DEPLOYMENT.tokens.USDS,
    offerAmount: 40_000_000n,
  })
  await ORDER_STEPS.execute(product.world, { orderId, from: 1, to: 1, want: 'USDS' })
  const read = async () => (await getJson(`${product.url}/v1/transit/orders/${orderId}`)).body
  await expect.poll(read).toMatchObject({ order: { status: 'PROCESSED' } })
  const filtered = new URL(`${product.url}/v1/transit/orders`)
  filtered.search = String(
    new URLSearchParams({ userAddress: user.address, filter: 'status = PROCESSED' }),
  )
  expect((await getJson(filtered.href)).body).toMatchObject({ orders: [{ id: orderId }] })
  await expect.poll(worker.output).toContain('the worker is ready')
}

describe('Postgres', () => {
  test.each(VERSIONS)(
    'behavior: an order on version %s, with the least privileges',
    async (version) => {
      const server = await startTemporaryPostgres({ binaries: await installPostgres(version) })
      onTestFinished(server.stop)
      await runStatements(server.url, [
        ...createRoleStatements(),
        ...createDatabaseStatements('versions'),
      ])
      const databaseUrl = withDatabase(asRole(server.url), 'versions')
      await migrate(databaseUrl)
      await liveOrder(databaseUrl)
      const [{ major } = { major: '' }] = await selectRows<{ major: string }>(
        databaseUrl,
        `select split_part(current_setting('server_version'), '.', 1) as major`,
      )
      expect(major).toBe(version.split('.')[0])
      const schemas = await selectRows<{ name: string }>(
        databaseUrl,
        `select nspname as name from pg_namespace where nspowner::regrole::text in ('causeway', 'causeway_indexer') order by 1`,
      )
      // docs/operating/production.md names these schemas.
      expect(schemas.map(({ name }) => name.replace(/^index_1_[0-9a-f]{12}$/, 'index'))).toEqual([
        'app',
        'graphile_worker',
        'index',
        'ponder_sync',
        'read',
      ])
    },
    120_000,
  )
})

// Skipped without Debian's package `pgbouncer`; npm has none.
describe.skipIf(pgbouncerProgram() === null)('PgBouncer', () => {
  async function startPooler(databaseUrl: string, options: PgBouncerOptions): Promise<string> {
    const { url, stop } = await startPgBouncer(databaseUrl, options)
    onTestFinished(stop)
    return url
  }
  async function startDatabase(): Promise<string> {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    return url
  }

  test('behavior: an order in transaction mode, beside a direct URL', async () => {
    const directUrl = await startDatabase()
    const databaseUrl = await startPooler(directUrl, { mode: 'transaction' })
    await liveOrder(directUrl, { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl })
  })

  test('behavior: an order in session mode alone, as direct URL too', async () => {
    const databaseUrl = await startDatabase()
    const url = await startPooler(databaseUrl, {
      mode: 'session',
      poolSize: 100,
      // docs/operating/production.md names this setting.
      ignoredStartupParameters: 'statement_timeout',
    })
    await liveOrder(databaseUrl, { DATABASE_URL: url, DATABASE_DIRECT_URL: url })
  })
})
