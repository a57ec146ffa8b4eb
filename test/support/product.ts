import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localShieldBook } from '../../devnet/localShieldBook.ts'
import type { World } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { ShieldSource } from '../../sdk/src/shield/book.ts'
import { startTestWorld, type TestWorldOptions } from './anvils.ts'
import { startApiProcess, untilAnswering } from './apiProcess.ts'
import { giveKeyOf } from './ask.ts'
import { freePorts } from './freePorts.ts'
import { startTestIndexer } from './indexer.ts'
import { type LossyNotifications, startLossyNotifications } from './lossyNotifications.ts'

export type TestProduct = {
  databaseUrl: string
  world: World
  addressBookFile: AddressBookFile
  /** By which the SDK's flows check what they sign. */
  shield: ShieldSource
  /** The signed book as a file. */
  shieldBookFile: string
  wsUrls: Record<number, string>
  /** The API's URL. */
  url: string
  indexer: Awaited<ReturnType<typeof startTestIndexer>>
  /** Starts an indexer in the place of one that was stopped or killed. */
  restartIndexer(): Promise<void>
  /** Stops or kills the API and starts one without cached reads, at the same URL. */
  restartApi(how?: 'stop' | 'kill'): Promise<void>
  /** Starts a further API. Returns its URL. */
  startFurtherApi(variables?: Record<string, string>): Promise<string>
  /** Starts a further API, whose notifications can be lost. */
  startLossyReplica(): Promise<{ url: string; notifications: LossyNotifications }>
  stop(): Promise<void>
}

/** By chain id, comma-separated. */
export type NodeUrls = { rpcUrls: Record<number, string>; wsUrls: Record<number, string> }

export type TestProductOptions = TestWorldOptions & {
  /** Default: 1 and 4663. At least one needs a station. */
  chainIds?: number[]
  /** Puts proxies between the processes and the nodes; returns the proxies' URLs. */
  nodesThrough?: (nodes: NodeUrls) => Promise<NodeUrls>
  /** Default: a new database, which is dropped at the end. */
  databaseUrl?: string
  /** In any environment but DEVELOPMENT, Ponder caches the nodes' answers. */
  environment?: AddressBookFile['environment']
  pollIntervalMs?: number
  /** Further variables of indexer and API. */
  variables?: Record<string, string>
  /** Whether the API has the console of a local world, where one request signs in. */
  withConsole?: boolean
  /** The database of the API, if it is another one. */
  apiDatabaseUrl?: string
}

/** The whole product with real processes: nodes, indexer, API. No bots. */
export async function startTestProduct(options: TestProductOptions = {}): Promise<TestProduct> {
  const started = new AsyncDisposableStack()
  const stop = () => started.disposeAsync()
  try {
    const databaseUrl = options.databaseUrl ?? (await ownDatabase(started))
    const { apiDatabaseUrl = databaseUrl } = options
    const local = await startTestWorld(options.chainIds, options)
    const { world, wsUrls } = local
    started.defer(local.stop)
    const { environment = local.addressBook.environment } = options
    const addressBook = { ...local.addressBook, environment }
    const nodes = { rpcUrls: world.rpcUrls, wsUrls }
    const { rpcUrls, ...sockets } = (await options.nodesThrough?.(nodes)) ?? nodes
    const chainIds = Object.keys(rpcUrls).map(Number)
    const { pollIntervalMs, variables } = options
    const startIndexer = () =>
      startTestIndexer({
        databaseUrl,
        addressBook,
        chainIds,
        rpcUrls,
        wsUrls: sockets.wsUrls,
        pollIntervalMs,
        variables,
      })
    let indexer = await startIndexer()
    started.defer(() => indexer.stop())
    const shieldFolder = await mkdtemp(join(tmpdir(), 'causeway-shield-'))
    started.defer(() => rm(shieldFolder, { recursive: true }))
    const shieldBookFile = join(shieldFolder, 'shield-book.json')
    const shield = await localShieldBook(parseAddressBook(addressBook, 'the local world'))
    await writeFile(shieldBookFile, JSON.stringify(shield.book))
    const appSecret = randomBytes(32).toString('hex')
    const [port = 0] = await freePorts(1)
    const consoleVariables = options.withConsole
      ? { CONSOLE_ORIGIN: `http://127.0.0.1:${port}`, CONSOLE_LOCAL_SIGN_IN: 'true' }
      : {}
    const apiOptions = () => ({
      databaseUrl: apiDatabaseUrl,
      addressBook: indexer.addressBook,
      rpcUrls,
      appSecret,
      variables: { ...variables, ...consoleVariables, SHIELD_BOOK: shieldBookFile },
    })
    const startApi = () => startApiProcess({ ...apiOptions(), port })
    async function startFurther(changed: {
      databaseUrl?: string
      variables?: Record<string, string>
    }) {
      const options = apiOptions()
      const further = await startApiProcess({
        ...options,
        ...changed,
        variables: { ...options.variables, ...changed.variables },
      })
      started.defer(() => further.stop())
      await untilAnswering(further.url, further.output)
      await giveKeyOf(further.url, databaseUrl, appSecret)
      return further.url
    }
    let api = await startApi()
    started.defer(() => api.stop())
    const untilUp = () => untilAnswering(api.url, () => `${indexer.output()}\n${api.output()}`)
    await untilUp()
    await giveKeyOf(api.url, databaseUrl, appSecret)
    return {
      databaseUrl,
      world,
      addressBookFile: addressBook,
      shield,
      shieldBookFile,
      wsUrls,
      url: api.url,
      stop,
      get indexer() {
        return indexer
      },
      async restartIndexer() {
        indexer = await startIndexer()
      },
      async restartApi(how = 'stop') {
        await api[how]()
        api = await startApi()
        await untilUp()
      },
      startFurtherApi: (variables = {}) => startFurther({ variables }),
      async startLossyReplica() {
        const notifications = await startLossyNotifications(apiDatabaseUrl)
        started.defer(notifications.stop)
        return { url: await startFurther({ databaseUrl: notifications.url }), notifications }
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ownDatabase(started: AsyncDisposableStack): Promise<string> {
  // Simulations run without vitest, which that module needs.
  const { createTestDatabase } = await import('./postgres.ts')
  const database = await createTestDatabase()
  started.defer(database.drop)
  return database.url
}
