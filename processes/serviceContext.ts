import { readDatabaseUrl } from '../db/databaseUrl.ts'
import { startIndexListener } from '../db/indexListener.ts'
import { connect } from '../db/sql.ts'
import type { AddressBook } from '../domain/addressBook/addressBook.ts'
import type { AppServices } from '../domain/appContext.ts'
import { type Clock, createReadStore } from '../domain/cache/keptReads.ts'
import { createPublishedReads } from '../domain/cache/publishedReads.ts'
import { createPublicConditions } from '../domain/capability/vaultConditions.ts'
import { createChainClients } from '../domain/chain/chainClients.ts'
import type { PulseTimes } from '../domain/chain/chainPulse.ts'
import { createKnownAddresses } from '../domain/chain/knownAddresses.ts'
import { createAccountantRateCache } from '../domain/earn/vaults/accountantRateCache.ts'
import { createDeploymentStateCache } from '../domain/earn/vaults/deploymentStateCache.ts'
import { createVaultHoldingsCache } from '../domain/earn/vaults/vaultHoldingsCache.ts'
import { createQueueBlocks } from '../domain/earn/withdrawals/queueBlocks.ts'
import {
  createWithdrawalRequestsById,
  createWithdrawalRequestWatch,
} from '../domain/earn/withdrawals/withdrawalRequestsById.ts'
import { createHighWater } from '../domain/index/highWater.ts'
import { createHeadReader } from '../domain/index/indexHeads.ts'
import type { IndexPools } from '../domain/index/indexPools.ts'
import { createIndexReads } from '../domain/index/indexReads.ts'
import { createIndexWait } from '../domain/index/indexWait.ts'
import { createReadIndex } from '../domain/index/readIndex.ts'
import { createJourneyEnds, createReadOrderPayments } from '../domain/journey/journeyReads.ts'
import { createJourneyWatch } from '../domain/journey/journeyWatch.ts'
import { createKeeperLatencies } from '../domain/journey/keeperLatencies.ts'
import { createPriceFeeds } from '../domain/price/priceFeeds.ts'
import {
  createSmartDepositReads,
  createSmartDepositWatch,
} from '../domain/smartDeposit/smartDepositReads.ts'
import { createTokenBlocks } from '../domain/token/tokenBlocks.ts'
import { createTokenPermits } from '../domain/token/tokenPermits.ts'
import { createTokenReader } from '../domain/token/tokenReader.ts'
import { createOrderWatch } from '../domain/transit/orders/orderWatch.ts'
import { createReadOrder } from '../domain/transit/orders/readOrders.ts'
import { createUnindexedOrders } from '../domain/transit/orders/unindexedOrders.ts'
import { createRouteLatencies } from '../domain/transit/routes/routeLatencies.ts'
import { guardSigner, type QuoteSigner } from '../domain/transit/signing/quoteSigner.ts'
import { createRouteCapacity } from '../domain/transit/signing/routeCapacity.ts'
import { createRoutePauses } from '../domain/transit/signing/routePauses.ts'
import { createSigningPolicy } from '../domain/transit/signing/signingPolicy.ts'
import { createStatsLatencies } from '../domain/transit/stats/statsLatencies.ts'
import { createExecutionCosts } from '../domain/transit/terms/executionCosts.ts'
import { createStationStates } from '../domain/transit/terms/stationStates.ts'
import { createSentTransactions } from '../domain/transit/transactions/sentTransactions.ts'
import type { ChainUrls } from './configuration/chainUrls.ts'
import type { Logger } from './logger.ts'
import { createNodeFailureLog } from './nodeFailureLog.ts'
import { traceStatements } from './tracing/traceStatements.ts'

export type ServiceContextOptions = {
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** For reads; may lead through a pooler. */
  databaseUrl: string
  /** For sessions and settings. Default: `databaseUrl`. */
  directUrl?: string
  /** Replicas of the database, for reads of the index. */
  replicaUrls?: readonly string[]
  addressBook: AddressBook
  chainUrls: Map<number, ChainUrls>
  appSecret: Uint8Array
  secretsKey: Uint8Array
  webhookTargets: AppServices['webhookTargets']
  quoteSigner: QuoteSigner | null
  attestations: AppServices['attestations']
  settings: AppServices['settings']
  /** Default: the console is off. */
  consoleOrigin?: string | null
  /** The file of the report of a rehearsal. Default: none. */
  rehearsalReport?: string | null
  logger: Logger
  /** The age up to which lists show what was last known of a chain that is late or silent. Default: 0. */
  maxStaleSeconds?: number
  /** How `/health` waits for nodes. Default: as in production. */
  pulseTimes?: PulseTimes | undefined
  /** Names all that answers of nodes depend on, to share them with other processes. Default: each process asks for itself. */
  readsHash?: string
  /** Ages the cached answers of chains. Default: the system clock. */
  clock?: Clock | undefined
}

const AD_HOC_TIMEOUT_MS = 2_000
/** With replicas, the primary reads only the heads. Under load, the reads that come within this time share one statement. */
const HEADS_EVERY_MS = 4
/** The changes under an `Idempotency-Key` that run at once. */
const MOST_CHANGES = 4
/** More than chains, stations, feeds, tokens and routes of any address book together. */
const MOST_BOOK_READS = 20_000
const MOST_CALLER_READS = 10_000
/** What the kept values of the index may take, by measured sizes. */
const KEPT_KILOBYTES = 100_000

/** Creates the services that read the index, the `app` tables and the chains. Call `stop` at the end. */
export function createServiceContext(options: ServiceContextOptions): {
  context: AppServices
  stop(): Promise<void>
} {
  const { applicationName, databaseUrl, directUrl = databaseUrl } = options
  const { addressBook, appSecret, secretsKey } = options
  const { quoteSigner, attestations, settings, logger, clock } = options
  // Through a pooler the statements of `adHocSql` would have no timeout.
  const primary = connectIndex({ databaseUrl, directUrl, applicationName })
  const { sql, keySql, adHocSql } = primary
  const changeSql = traceStatements(
    connect(databaseUrl, { applicationName: `${applicationName}-changes`, max: MOST_CHANGES }),
  )
  const maxStaleMs = (options.maxStaleSeconds ?? 0) * 1_000
  const store = createReadStore('book_reads', { max: MOST_BOOK_READS, maxStaleMs, clock })
  const { readsHash } = options
  const ofNodes = readsHash
    ? { ...store, published: createPublishedReads(keySql, readsHash) }
    : store
  const ofCallers = createReadStore('caller_reads', { max: MOST_CALLER_READS, clock })
  const chains = createChainClients(
    [...options.chainUrls].map(([chainId, { rpcUrls }]) => ({ chainId, rpcUrls })),
    addressBook,
    { pulseTimes: options.pulseTimes, onNodeFailure: createNodeFailureLog(logger), store: ofNodes },
  )
  const knownAddresses = createKnownAddresses()
  const reading = { chains, store: ofNodes, known: knownAddresses }
  const tokens = createTokenReader(addressBook, chains)
  const listener = startIndexListener(directUrl, (error) =>
    logger.warn({ error: String(error) }, 'index notifications interrupted'),
  )
  const replicaUrls = options.replicaUrls ?? []
  const headReader = createHeadReader(keySql, replicaUrls.length > 0 ? HEADS_EVERY_MS : 0)
  const replicas = replicaUrls.map((url) => ({
    ...connectIndex({ databaseUrl: url, directUrl: url, applicationName }),
    name: readDatabaseUrl(url).url.host,
  }))
  const { readIndex, stop: stopReplicas } = createReadIndex({
    primary,
    headReader,
    replicas,
    onChange({ replica, isUsed, reason }) {
      if (isUsed) logger.info({ replica }, `a replica is read: ${reason}`)
      else logger.warn({ replica }, `a replica is left out: ${reason}`)
    },
  })
  const indexReads = createIndexReads(headReader, { kilobytes: KEPT_KILOBYTES })
  const readOrder = createReadOrder({ readIndex, tokens, addressBook }, indexReads)
  const orderWatch = createOrderWatch(readOrder, listener.onChange)
  const vaultHoldingsCache = createVaultHoldingsCache(addressBook, reading)
  const withdrawalRequestsById = createWithdrawalRequestsById({ readIndex })
  const withdrawalRequestWatch = createWithdrawalRequestWatch(
    withdrawalRequestsById,
    listener.onChange,
  )
  const smartDepositReads = createSmartDepositReads({ sql })
  const smartDepositWatch = createSmartDepositWatch(smartDepositReads, listener.onSmartDeposit)
  const journeyReading = {
    journeyEnds: createJourneyEnds(sql, ofCallers),
    readOrderPayments: createReadOrderPayments(sql),
    smartDepositReads,
  }
  const journeyWatch = createJourneyWatch({ ...journeyReading, readOrder, orderWatch }, [
    listener.onChange,
    listener.onSmartDeposit,
  ])
  const stations = createStationStates(addressBook, reading)
  const priceFeeds = createPriceFeeds(addressBook, reading)
  const tokenBlocks = createTokenBlocks({ chains, store: ofCallers })
  const executionCosts = createExecutionCosts({ ...reading, priceFeeds })
  const routePauses = createRoutePauses(sql, store)
  const policy = createSigningPolicy({
    addressBook,
    stations,
    executionCosts,
    priceFeeds,
    routePauses,
    routeCapacity: createRouteCapacity(sql, store),
    settings,
  })
  const routeLatencies = createRouteLatencies(sql, store)
  return {
    context: {
      sql,
      keySql,
      adHocSql,
      changeSql,
      addressBook,
      chains,
      knownAddresses,
      tokens,
      highWater: createHighWater(sql),
      readIndex,
      indexReads,
      indexWait: createIndexWait(headReader),
      unindexedOrders: createUnindexedOrders({ sql, chains, addressBook }, ofCallers),
      sentTransactions: createSentTransactions({ chains, addressBook, store: ofCallers }),
      readOrder,
      orderWatch,
      stations,
      priceFeeds,
      tokenBlocks,
      tokenPermits: createTokenPermits(reading),
      executionCosts,
      routePauses,
      routeLatencies,
      statsLatencies: createStatsLatencies(sql, routeLatencies, ofCallers),
      quoteSigner: quoteSigner && guardSigner(quoteSigner, policy),
      deploymentStateCache: createDeploymentStateCache(addressBook, reading),
      accountantRateCache: createAccountantRateCache(addressBook, reading),
      publicConditions: createPublicConditions(addressBook, reading),
      vaultHoldingsCache,
      queueBlocks: createQueueBlocks({ sql, vaultHoldingsCache }),
      withdrawalRequestsById,
      withdrawalRequestWatch,
      ...journeyReading,
      smartDepositWatch,
      journeyWatch,
      keeperLatencies: createKeeperLatencies(sql, store),
      attestations,
      settings,
      appSecret,
      consoleOrigin: options.consoleOrigin ?? null,
      rehearsalReport: options.rehearsalReport ?? null,
      secretsKey,
      webhookTargets: options.webhookTargets,
    },
    async stop() {
      orderWatch.stop()
      withdrawalRequestWatch.stop()
      smartDepositWatch.stop()
      journeyWatch.stop()
      await listener.stop()
      const ofIndex = [primary, ...replicas].flatMap((pools) => [
        pools.sql,
        pools.keySql,
        pools.adHocSql,
      ])
      await Promise.all([...ofIndex, changeSql].map((pool) => pool.end({ timeout: 2 })))
      await stopReplicas()
    },
  }
}

type ServerUrls = { databaseUrl: string; directUrl: string; applicationName: string }

/** The pools for statements on the index, of the primary or a replica. */
function connectIndex({ databaseUrl, directUrl, applicationName }: ServerUrls): IndexPools {
  return {
    sql: traceStatements(connect(databaseUrl, { applicationName })),
    keySql: traceStatements(connect(databaseUrl, { applicationName, max: 2 })),
    adHocSql: traceStatements(
      connect(directUrl, {
        applicationName: `${applicationName}-ad-hoc`,
        max: 4,
        prepare: false,
        statementTimeoutMs: AD_HOC_TIMEOUT_MS,
      }),
    ),
  }
}
