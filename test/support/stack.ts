import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Sql } from 'postgres'
import { createLifecycle } from '../../api/http/lifecycle.ts'
import { createServer } from '../../api/server.ts'
import { connect } from '../../db/sql.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { ServiceContext } from '../../domain/context.ts'
import { createLogger } from '../../processes/logger.ts'
import { createServiceContext } from '../../processes/serviceContext.ts'
import { startTestWorld } from './anvils.ts'
import { startTestIndexer, untilIndexed } from './indexer.ts'
import { createTestDatabase } from './postgres.ts'

export type TestStack = {
  world: World
  wsUrls: Record<number, string>
  sql: Sql
  context: ServiceContext
  url: string
  /** Resolves when the index is at every node's head. */
  untilLevel(): Promise<void>
  stop(): Promise<void>
}

/** The whole path: automining nodes with the world, the real indexer, a real Postgres, the api over HTTP. */
export async function startTestStack(): Promise<TestStack> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const database = await createTestDatabase()
    stops.push(database.drop)
    const sql = connect(database.url, { applicationName: 'test', max: 2 })
    stops.push(() => sql.end({ timeout: 1 }))
    const { world, wsUrls, addressBook, stop: stopWorld } = await startTestWorld()
    stops.push(stopWorld)
    const chainIds = world.addressBook.chains.map(({ id }) => id)
    const indexer = await startTestIndexer({
      databaseUrl: database.url,
      addressBook,
      chainIds,
      rpcUrls: world.rpcUrls,
      wsUrls,
    })
    stops.push(indexer.stop)
    const { url, context, stop: stopApi } = await startApi(world, database.url)
    stops.push(stopApi)

    const untilLevel = async () => {
      const heads = chainIds.map(
        async (id): Promise<[number, number]> => [
          id,
          Number(await worldClient(world, id).getBlockNumber()),
        ],
      )
      await untilIndexed(sql, Object.fromEntries(await Promise.all(heads))).catch((error) => {
        throw new Error(`${error}\n${indexer.output()}`)
      })
    }
    await untilLevel()
    return { world, wsUrls, sql, context, url, untilLevel, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startApi({ addressBook, rpcUrls }: World, databaseUrl: string) {
  const logger = createLogger('test', 'silent')
  const { context, stop } = createServiceContext({
    databaseUrl,
    addressBook,
    chainUrls: new Map(
      addressBook.chains.map(({ id }) => [id, { rpcUrls: [rpcUrls[id] ?? ''], wsUrls: [] }]),
    ),
    appSecret: randomBytes(32),
    logger,
  })
  const lifecycle = createLifecycle()
  const app = await createServer(context, { lifecycle, maxLagSeconds: 300 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  lifecycle.markReady()
  return {
    context,
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    async stop() {
      lifecycle.startDraining()
      await app.close()
      await stop()
    },
  }
}
