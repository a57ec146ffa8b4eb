import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { createLifecycle, type Lifecycle } from '../../api/http/lifecycle.ts'
import { createServer } from '../../api/server.ts'
import { connect } from '../../db/sql.ts'
import type { ServiceContext } from '../../domain/context.ts'
import { createLogger } from '../../processes/logger.ts'
import { createServiceContext } from '../../processes/serviceContext.ts'
import { testAddressBook } from './addressBook.ts'
import { createTestDatabase } from './postgres.ts'
import { createReadTables } from './readTables.ts'
import { SETTINGS } from './settings.ts'

export type TestApi = {
  url: string
  port: number
  context: ServiceContext
  lifecycle: Lifecycle
  close(): Promise<void>
  stop(): Promise<void>
}

/** The api over real HTTP and a Postgres of its own, in which the index is plain tables. */
export async function startTestApi(options: { logger?: FastifyBaseLogger } = {}): Promise<TestApi> {
  const database = await createTestDatabase()
  const setup = connect(database.url, { applicationName: 'test-setup', max: 1 })
  await createReadTables(setup)
  await setup.end()

  const { context, stop } = createServiceContext({
    databaseUrl: database.url,
    addressBook: testAddressBook,
    // Nothing listens there: no case here depends on a node.
    chainUrls: new Map(
      [1, 4663].map((id) => [id, { rpcUrls: ['http://127.0.0.1:1'], wsUrls: [] }]),
    ),
    appSecret: randomBytes(32),
    quoteSigner: null,
    settings: SETTINGS,
    logger: createLogger('test', 'silent'),
  })
  const lifecycle = createLifecycle()
  const app = await createServer(context, { ...options, lifecycle, maxLagSeconds: 300 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  lifecycle.markReady()
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    context,
    lifecycle,
    close: () => app.close(),
    async stop() {
      lifecycle.startDraining()
      await app.close()
      await stop()
      await database.drop()
    },
  }
}
