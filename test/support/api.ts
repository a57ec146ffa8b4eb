import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Console } from '../../api/console/createConsole.ts'
import { createLifecycle, type Lifecycle } from '../../api/http/lifecycle.ts'
import { createServer, type ServerOptions } from '../../api/server.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import type { World } from '../../devnet/world.ts'
import type { KeyAdministrator } from '../../domain/access/keys.ts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { AppServices } from '../../domain/appContext.ts'
import type { Clock } from '../../domain/cache/keptReads.ts'
import type { PulseTimes } from '../../domain/chain/chainPulse.ts'
import type { Settings } from '../../domain/context.ts'
import type { QuotaLeases } from '../../domain/limits/quotaLeases.ts'
import { accountQuoteSigner } from '../../domain/transit/signing/quoteSigner.ts'
import { createRequestRecorder, type RequestRecorder } from '../../domain/usage/requestRecorder.ts'
import { createRequestStore } from '../../domain/usage/requestStore.ts'
import { createLogger } from '../../processes/logger.ts'
import { createServiceContext } from '../../processes/serviceContext.ts'
import { testAddressBook } from './addressBook.ts'
import { giveKey } from './ask.ts'
import { CONSOLE_ORIGIN } from './consoleClient.ts'
import { createTestDatabase, INDEX_TEMPLATE_DATABASE } from './postgres.ts'
import { SETTINGS } from './settings.ts'
import { serveTestIndex } from './testIndex.ts'

export type TestApi = {
  url: string
  port: number
  databaseUrl: string
  context: AppServices
  /** Creates organizations and keys in its database. */
  administrator: KeyAdministrator
  lifecycle: Lifecycle
  /** Null without `isRecording`. */
  recorder: RequestRecorder | null
  server: Server
  close(): Promise<void>
  stop(): Promise<void>
}

export type TestApiOptions = {
  /** By default any free one. */
  port?: number
  logger?: FastifyBaseLogger
  /** The local world of its chains; without one, no node answers. */
  world?: World
  /** The URLs of that world's chains, if they are proxies. */
  rpcUrls?: Record<number, string[]>
  addressBook?: AddressBook
  quoteSignerKey?: Hex | null
  /** Instead of that key. */
  quoteSigner?: LocalAccount
  settings?: Partial<Settings>
  attestations?: AppServices['attestations']
  productSegments?: string[]
  webhookTargets?: AppServices['webhookTargets']
  /** Creates the quotas over its database; without them nothing is limited. */
  leases?: (databaseUrl: string) => QuotaLeases
  /** Keeps the request log and usage; a test calls `recorder.flush()`. */
  isRecording?: boolean
  /** The connections and held requests that one client may have; by default, any number. */
  caps?: ServerOptions['caps']
  trustedProxies?: string[]
  corsOrigins?: string[]
  maxConnections?: number
  /** How `/health` waits for nodes; by default as in production. */
  pulseTimes?: PulseTimes
  /** `LIST_MAX_STALE_SECONDS`; by default 300. */
  maxStaleSeconds?: number
  /** The clock for the caches of chains' answers. */
  clock?: Clock
  /** Apis of one database with equal hashes publish what nodes answer; by default each asks for itself. */
  readsHash?: string
  timeouts?: ServerOptions['timeouts']
  mostCsvRows?: number
  /** The console of `CONSOLE_ORIGIN`, over its database; by default it is off. */
  console?: (services: { databaseUrl: string; appSecret: Uint8Array }) => Console
  /** A database with a served build. By default a new one, which is dropped at the end. */
  databaseUrl?: string
  replicaUrls?: string[]
  /** The file of the report of a rehearsal; by default none. */
  rehearsalReport?: string
  /** The heads of further chains in its index, besides 1 and 4663. */
  moreHeads?: Record<number, number>
}

/** The api over real HTTP and a Postgres of its own, whose index serves chains 1 and 4663. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { databaseUrl } = options
  const database = databaseUrl
    ? { url: databaseUrl, drop: async () => {} }
    : await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  const { quoteSignerKey: key = DEVNET_QUOTE_SIGNER_KEY } = options
  const signer = options.quoteSigner ?? (key && privateKeyToAccount(key))
  const addressBook = options.addressBook ?? options.world?.addressBook ?? testAddressBook
  if (options.moreHeads) await serveMore(database.url, addressBook, options.moreHeads)
  const { context, stop } = createServiceContext({
    applicationName: 'causeway-test',
    databaseUrl: database.url,
    replicaUrls: options.replicaUrls ?? [],
    addressBook,
    chainUrls: new Map(
      addressBook.chains.map(({ id }) => [id, { rpcUrls: urlsOf(options, id), wsUrls: [] }]),
    ),
    appSecret: randomBytes(32),
    secretsKey: randomBytes(32),
    webhookTargets: options.webhookTargets ?? { allowPrivate: true },
    quoteSigner: signer && accountQuoteSigner(signer),
    attestations: options.attestations ?? null,
    settings: { ...SETTINGS, ...options.settings },
    consoleOrigin: options.console ? CONSOLE_ORIGIN : null,
    rehearsalReport: options.rehearsalReport ?? null,
    clock: options.clock,
    ...(options.readsHash ? { readsHash: options.readsHash } : {}),
    pulseTimes: options.pulseTimes,
    maxStaleSeconds: options.maxStaleSeconds ?? 300,
    logger: createLogger('test', 'silent'),
  })
  const lifecycle = createLifecycle()
  const { logger } = options
  const recorder = options.isRecording
    ? createRequestRecorder(createRequestStore(database.url), {
        onFailure(error) {
          throw error
        },
      })
    : null
  const app = await createServer(context, {
    ...(logger ? { logger } : {}),
    lifecycle,
    maxLagSeconds: 300,
    productSegments: options.productSegments ?? [],
    leases: options.leases?.(database.url) ?? null,
    recorder,
    caps: options.caps ?? null,
    trustedProxies: options.trustedProxies ?? [],
    corsOrigins: options.corsOrigins ?? [],
    shieldBook: null,
    maxConnections: options.maxConnections ?? 10_000,
    timeouts: options.timeouts,
    mostCsvRows: options.mostCsvRows,
    console: options.console?.({ databaseUrl: database.url, appSecret: context.appSecret }) ?? null,
  })
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  lifecycle.markReady()
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const administrator = {
    sql: context.sql,
    appSecret: context.appSecret,
    actor: 'test',
    bounds: null,
  }
  await giveKey(url, administrator)
  return {
    url,
    administrator,
    databaseUrl: database.url,
    port,
    context,
    lifecycle,
    recorder,
    server: app.server,
    close: () => app.close(),
    async stop() {
      lifecycle.startDraining()
      await app.close()
      await recorder?.stop()
      await stop()
      await database.drop()
    },
  }
}

async function serveMore(url: string, book: AddressBook, heads: Record<number, number>) {
  const sql = connect(url, { applicationName: 'test-setup', max: 1 })
  await serveTestIndex(sql, book.chains, heads).finally(() => sql.end())
}

/** URLs without a server, if there is no world. */
function urlsOf({ world, rpcUrls }: TestApiOptions, chainId: number): string[] {
  return rpcUrls?.[chainId] ?? [world?.rpcUrls[chainId] ?? 'http://127.0.0.1:1']
}
