import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import {
  asRole,
  createDatabaseStatements,
  createRoleStatement,
  runStatements,
} from '../support/databaseRole.ts'
import { getJson } from '../support/getJson.ts'
import { installPostgres } from '../support/installPostgres.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { withDatabase } from '../support/postgres.ts'
import { startTestProduct } from '../support/product.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'

/** The supported versions that the other tests do not run on. */
const VERSIONS = ['15.18.0-beta.17', '16.14.0-beta.17', '18.4.0-beta.17']
const SOON = { timeout: 20_000, interval: 50 }
const user = userAt(0)

async function selectRows<Row>(databaseUrl: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return (await client.query(query).finally(() => client.end())).rows
}

describe('Postgres', () => {
  test.each(VERSIONS)(
    'behavior: an order on version %s, with the least privileges',
    async (version) => {
      await using started = new AsyncDisposableStack()
      const server = await startTemporaryPostgres({ binaries: await installPostgres(version) })
      started.defer(server.stop)
      await runStatements(server.url, [
        createRoleStatement(),
        ...createDatabaseStatements('versions'),
      ])
      const databaseUrl = withDatabase(asRole(server.url), 'versions')
      const product = await startTestProduct({ chainIds: [1], databaseUrl })
      started.defer(product.stop)
      const worker = startWorkerProcess({
        databaseUrl,
        addressBook: product.indexer.addressBook,
        rpcUrls: product.world.rpcUrls,
        appSecret: randomBytes(32).toString('hex'),
      })
      started.defer(worker.stop)

      const { USDC, USDS } = DEPLOYMENT.tokens
      const { orderId } = await placeOrder(product.world, {
        user,
        sourceChainId: 1,
        destinationChainId: 1,
        offerAsset: USDC,
        wantAsset: USDS,
        offerAmount: 40_000_000n,
      })
      await ORDER_STEPS.execute(product.world, { orderId, from: 1, to: 1, want: 'USDS' })
      const status = async () => {
        const { body } = await getJson(`${product.url}/v1/transit/orders/${orderId}`)
        return body
      }
      await expect.poll(status, SOON).toMatchObject({ order: { status: 'PROCESSED' } })
      const filtered = new URL(`${product.url}/v1/transit/orders`)
      filtered.search = String(
        new URLSearchParams({ userAddress: user.address, filter: 'status = PROCESSED' }),
      )
      expect((await getJson(filtered.href)).body).toMatchObject({ orders: [{ id: orderId }] })
      await expect.poll(worker.output, SOON).toContain('the worker is ready')

      const [{ major } = { major: '' }] = await selectRows<{ major: string }>(
        databaseUrl,
        `select split_part(current_setting('server_version'), '.', 1) as major`,
      )
      expect(major).toBe(version.split('.')[0])
      const schemas = await selectRows<{ name: string }>(
        databaseUrl,
        `select nspname as name from pg_namespace where nspowner = current_user::regrole order by 1`,
      )
      // Those of docs/operating/production.md.
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
