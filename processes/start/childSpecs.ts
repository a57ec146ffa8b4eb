import {
  DEVNET_ATTESTATION_KEY,
  DEVNET_KEEPER_KEY,
  DEVNET_QUOTE_SIGNER_KEY,
} from '../../devnet/accounts.ts'
import { indexedChains } from '../../domain/addressBook/indexedChains.ts'
import { rehearsalReportFile } from '../../domain/rehearsal/rehearsalReport.ts'
import { accountVariables } from './accountVariables.ts'
import { apiUrlOf } from './apiUrlOf.ts'
import type { BackingServices } from './backingServices.ts'
import type { ChildSpec } from './children.ts'
import { consoleVariables } from './consoleVariables.ts'
import { indexGroups } from './plan.ts'
import type { ProductOptions } from './productOptions.ts'
import type { Secrets } from './secrets.ts'

const LOCAL_PATIENCE_SECONDS = 9
const STOP_MS = { api: 4_000, worker: 5_000, indexer: 5_000, bots: 1_500, attestations: 1_500 }

/** The child processes of `npm start`: indexers, api, worker and, on local chains, bots and attestation provider. */
export function childSpecs(
  options: ProductOptions,
  backing: BackingServices,
  { appSecret, secretsKey, apiKey }: Pick<Secrets, 'appSecret' | 'secretsKey'> & { apiKey: string },
  shieldBookFile: string | undefined,
): ChildSpec[] {
  const { environment } = options
  const shared = {
    ...backing.variables,
    ...databaseVariables(options, backing),
    ADDRESS_BOOK: backing.addressBookPath,
    ADDRESS_BOOK_ALLOW_UNVERIFIED: environment.ADDRESS_BOOK_ALLOW_UNVERIFIED,
    LOG_LEVEL: environment.LOG_LEVEL,
    ...tracingVariables(options.source),
  }
  const webhookVariables = {
    SECRETS_KEY: secretsKey,
    // With local nodes, webhook receivers are usually on this machine.
    WEBHOOK_ALLOW_PRIVATE: environment.WEBHOOK_ALLOW_PRIVATE ?? (backing.nodes ? 'true' : 'false'),
  }
  const groups = indexGroups(
    indexedChains(backing.addressBook),
    environment.INDEX_GROUPS,
    backing.nodes !== null,
  )
  const indexers = groups.map((group, index) => ({
    name: `indexer-${group.join('-')}`,
    entry: 'processes/indexer.ts',
    environment: {
      ...shared,
      INDEX_CHAINS: group.join(','),
      INDEX_POLL_MS: String(environment.INDEX_POLL_MS),
      ...reorgVariables(environment, backing),
      METRICS_HOST: environment.METRICS_HOST,
      ...(environment.INDEXER_METRICS_PORT
        ? { INDEXER_METRICS_PORT: String(environment.INDEXER_METRICS_PORT + index) }
        : {}),
    },
    stopMs: STOP_MS.indexer,
  }))
  const api = {
    name: 'api',
    entry: 'processes/api.ts',
    environment: {
      ...shared,
      // With any other value, graphql checks every value for a second copy of itself.
      NODE_ENV: 'production',
      APP_SECRET: appSecret,
      API_HOST: environment.API_HOST,
      API_PORT: String(environment.API_PORT),
      DRAIN_SECONDS: String(environment.DRAIN_SECONDS),
      HEALTH_MAX_LAG_SECONDS: String(environment.HEALTH_MAX_LAG_SECONDS),
      LIST_MAX_STALE_SECONDS: String(environment.LIST_MAX_STALE_SECONDS),
      ...publicTrafficVariables(environment),
      ...(environment.METRICS_PORT ? { METRICS_PORT: String(environment.METRICS_PORT) } : {}),
      METRICS_HOST: environment.METRICS_HOST,
      ...quoteVariables(options, backing),
      ...earnVariables(environment, backing),
      ...webhookVariables,
      ...consoleVariables(environment, backing.nodes !== null),
      ...(shieldBookFile ? { SHIELD_BOOK: shieldBookFile } : {}),
      REHEARSAL_REPORT:
        options.source.REHEARSAL_REPORT || rehearsalReportFile(options.dataDirectory),
    },
    stopMs: STOP_MS.api + environment.DRAIN_SECONDS * 1_000,
  }
  const worker = {
    name: 'worker',
    entry: 'processes/worker.ts',
    environment: {
      ...shared,
      APP_SECRET: appSecret,
      METRICS_HOST: environment.METRICS_HOST,
      ...(environment.WORKER_METRICS_PORT
        ? { WORKER_METRICS_PORT: String(environment.WORKER_METRICS_PORT) }
        : {}),
      // With local nodes, the default key is that of the local factories' keeper.
      ...accountVariables(
        'SMART_DEPOSIT_KEEPER',
        options.source,
        backing.nodes ? DEVNET_KEEPER_KEY : null,
      ),
      ...earnVariables(environment, backing),
      ...providerVariables('PAYER_SCREENING', '/v1/payers', environment, backing),
      QUOTE_API_URL: apiUrlOf(environment),
      QUOTE_API_KEY: apiKey,
      ...webhookVariables,
      ...storageVariables(environment),
    },
    stopMs: STOP_MS.worker,
  }
  const bots = {
    name: 'bots',
    entry: 'devnet/bots.ts',
    environment: { ...shared, API_URL: apiUrlOf(environment), API_KEY: apiKey },
    stopMs: STOP_MS.bots,
  }
  const attestations = {
    name: 'attestations',
    entry: 'devnet/attestationProcess.ts',
    environment: {
      ...shared,
      ATTESTATION_PORT: String(environment.ATTESTATION_PORT),
      ATTESTATION_API_KEY: DEVNET_ATTESTATION_KEY,
    },
    stopMs: STOP_MS.attestations,
  }
  return [...indexers, api, worker, ...(backing.nodes ? [bots, attestations] : [])]
}

/** The given variables of the database, or those of the local one. */
function databaseVariables(
  { environment, source }: ProductOptions,
  { databaseUrl }: BackingServices,
): Record<string, string> {
  if (!environment.DATABASE_URL) return { DATABASE_URL: databaseUrl }
  const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'PGSSLMODE', 'PGSSLROOTCERT']
  return Object.fromEntries(names.flatMap((name) => (source[name] ? [[name, source[name]]] : [])))
}

/** Variables of OpenTelemetry, also those that only its libraries read, such as `OTEL_EXPORTER_OTLP_HEADERS`. */
function tracingVariables(source: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) =>
      name.startsWith('OTEL_') && value ? [[name, value]] : [],
    ),
  )
}

function storageVariables({
  EVENT_RETENTION_DAYS,
  DELIVERY_RETENTION_DAYS,
  ATTEMPT_RETENTION_DAYS,
  DATABASE_CAPACITY_GB,
}: ProductOptions['environment']): Record<string, string> {
  return {
    EVENT_RETENTION_DAYS: String(EVENT_RETENTION_DAYS),
    DELIVERY_RETENTION_DAYS: String(DELIVERY_RETENTION_DAYS),
    ATTEMPT_RETENTION_DAYS: String(ATTEMPT_RETENTION_DAYS),
    ...(DATABASE_CAPACITY_GB ? { DATABASE_CAPACITY_GB: String(DATABASE_CAPACITY_GB) } : {}),
  }
}

function publicTrafficVariables({
  RATE_LIMITS,
  REQUEST_LOG,
  TRUST_PROXY,
  CORS_ORIGINS,
  ...limits
}: ProductOptions['environment']): Record<string, string> {
  return {
    RATE_LIMITS,
    REQUEST_LOG,
    MAX_CONNECTIONS: String(limits.MAX_CONNECTIONS),
    MAX_CONNECTIONS_PER_ADDRESS: String(limits.MAX_CONNECTIONS_PER_ADDRESS),
    MAX_CONNECTIONS_PER_KEY: String(limits.MAX_CONNECTIONS_PER_KEY),
    MAX_HELD_PER_ADDRESS: String(limits.MAX_HELD_PER_ADDRESS),
    MAX_HELD_PER_KEY: String(limits.MAX_HELD_PER_KEY),
    ...(TRUST_PROXY ? { TRUST_PROXY: TRUST_PROXY.join(',') } : {}),
    ...(CORS_ORIGINS ? { CORS_ORIGINS: CORS_ORIGINS.join(',') } : {}),
  }
}

/** A local node is one machine, and developers take blocks back. */
function reorgVariables(
  { REORG_PATIENCE_SECONDS: given }: ProductOptions['environment'],
  { nodes }: BackingServices,
): Record<string, string> {
  const patience = given ?? (nodes ? LOCAL_PATIENCE_SECONDS : null)
  return patience === null ? {} : { REORG_PATIENCE_SECONDS: String(patience) }
}

/** With local nodes, the default signer is the one that the local stations expect. */
function quoteVariables(
  { environment, source }: ProductOptions,
  { nodes }: BackingServices,
): Record<string, string> {
  return {
    ...accountVariables('QUOTE_SIGNER', source, nodes ? DEVNET_QUOTE_SIGNER_KEY : null),
    QUOTE_TTL_SECONDS: String(environment.QUOTE_TTL_SECONDS),
    PERMIT_TTL_SECONDS: String(environment.PERMIT_TTL_SECONDS),
    MESSAGE_FEE_HEADROOM_PERCENT: String(environment.MESSAGE_FEE_HEADROOM_PERCENT),
  }
}

function earnVariables(
  environment: ProductOptions['environment'],
  backing: BackingServices,
): Record<string, string> {
  const { PRODUCT_SEGMENTS: segments } = environment
  return {
    ...providerVariables('ATTESTATION', '/v2/attestation', environment, backing),
    ...(segments ? { PRODUCT_SEGMENTS: segments.join(',') } : {}),
    DEPOSIT_SLIPPAGE_BPS: String(environment.DEPOSIT_SLIPPAGE_BPS),
  }
}

/** The variables of an outside provider. With local nodes, the default is the local one, at `path`. */
function providerVariables(
  name: 'ATTESTATION' | 'PAYER_SCREENING',
  path: string,
  environment: ProductOptions['environment'],
  { nodes }: BackingServices,
): Record<string, string> {
  const url = environment[`${name}_URL`]
  const key = environment[`${name}_API_KEY`]
  const local = {
    [`${name}_URL`]: `http://127.0.0.1:${environment.ATTESTATION_PORT}${path}`,
    [`${name}_API_KEY`]: DEVNET_ATTESTATION_KEY,
  }
  const given = url ? { [`${name}_URL`]: url, ...(key ? { [`${name}_API_KEY`]: key } : {}) } : {}
  return nodes && !url ? local : given
}
