import ipaddr from 'ipaddr.js'
import { isAddress } from 'viem/utils'
import { z } from 'zod'
import { DatabaseUrlError, readDatabaseUrl } from '../db/databaseUrl.ts'
import { EnvironmentError } from './configuration/environmentError.ts'
import { describeMisspelled, findMisspelled } from './configuration/misspelled.ts'
import { privateKey } from './configuration/privateKey.ts'
import { SAMPLERS } from './tracing/samplerNames.ts'

function integer(lowest: number, highest = Number.MAX_SAFE_INTEGER) {
  const range =
    highest === Number.MAX_SAFE_INTEGER ? `${lowest} or more` : `${lowest} to ${highest}`
  const message = `expected an integer, ${range}`
  return z.coerce.number(message).int(message).min(lowest, message).max(highest, message)
}

const port = integer(1, 65_535)
const seconds = integer(0)
const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' })
const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

/** Path segments of `/v2/<segment>/` that other routes use or will use. */
const RESERVED_SEGMENTS = ['earn', 'core', 'events', 'webhooks', 'transit']

const databaseUrl = z.string().superRefine((text, context) => {
  try {
    readDatabaseUrl(text)
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
  }
})

const replicaUrls = commaSeparated.pipe(
  z.array(
    databaseUrl.refine(
      (text) => !/[?&](sslmode=prefer|pgbouncer=true)\b/.test(text),
      'expected URLs of replicas themselves, with sslmode=require or another fixed mode',
    ),
  ),
)

const trueOrFalse = z.enum(['true', 'false'])

const shared = {
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  ADDRESS_BOOK: z.string().min(1),
  ADDRESS_BOOK_ALLOW_UNVERIFIED: trueOrFalse.default('false'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
}

const metricsVariables = {
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
}

const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('expected a number, 0 to 1')
    .min(0, 'expected a number, 0 to 1')
    .max(1, 'expected a number, 0 to 1')
    .default(1),
}

const kmsKey = z
  .string()
  .regex(
    /^(aws-kms:[\w:/-]+|gcp-kms:projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+)$/,
    'expected aws-kms:<key id, ARN or alias> or gcp-kms:projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/<number>',
  )

const account = z.string().refine((text) => isAddress(text), 'expected an address')

const kmsVariables = {
  GCP_KMS_ENDPOINT: httpUrl.optional(),
}

export const signerVariables = z.object({
  QUOTE_SIGNER: kmsKey.optional(),
  QUOTE_SIGNER_ADDRESS: account.optional(),
  QUOTE_SIGNER_PRIVATE_KEY: privateKey.optional(),
  ...kmsVariables,
})

const quoteVariables = {
  QUOTE_TTL_SECONDS: integer(1, 86_400).default(600),
  PERMIT_TTL_SECONDS: integer(1, 86_400).default(3_600),
  MESSAGE_FEE_HEADROOM_PERCENT: integer(0, 1_000).default(10),
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/** The URL of an outside provider, whose key is the variable of this name. */
function providerUrl(keyVariable: string) {
  return z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL', abort: true })
    .refine(
      (url) => !hasCredentials(url),
      `expected a URL without user and password (set ${keyVariable} instead)`,
    )
    .optional()
}

const providerKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'expected ASCII letters, digits and signs without spaces')
  .optional()

const payerScreeningVariables = {
  PAYER_SCREENING_URL: providerUrl('PAYER_SCREENING_API_KEY'),
  PAYER_SCREENING_API_KEY: providerKey,
}

/** The api alone signs quotes. The keeper asks it for those of the orders with which it sends payments on. */
const quoteApiVariables = {
  QUOTE_API_URL: providerUrl('QUOTE_API_KEY').default('http://127.0.0.1:4000'),
  QUOTE_API_KEY: providerKey,
}

const earnVariables = {
  DEPOSIT_SLIPPAGE_BPS: integer(0, 10_000).default(50),
  ATTESTATION_URL: providerUrl('ATTESTATION_API_KEY'),
  ATTESTATION_API_KEY: providerKey,
  PRODUCT_SEGMENTS: commaSeparated
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9-]{0,31}$/,
            'expected path segments of a-z, 0-9 and -, as in treasury,savings',
          )
          .refine(
            (segment) => !RESERVED_SEGMENTS.includes(segment),
            `expected path segments other than ${RESERVED_SEGMENTS.join(', ')}`,
          ),
      ),
    )
    .optional(),
}

const network = z
  .string()
  .refine((text) => (text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)), {
    error: 'expected IP addresses or networks, as in 10.0.0.0/8,192.0.2.1',
    abort: true,
  })
  .refine(
    (text) => !/\/0+$/.test(text),
    'expected the networks of your own proxies, not every address: any client could name the address that it is limited by',
  )

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
    'expected * or origins, as in https://app.example',
  )

const limitVariables = {
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  TRUST_PROXY: commaSeparated.pipe(z.array(network)).optional(),
  CORS_ORIGINS: commaSeparated.pipe(z.array(origin)).optional(),
  MAX_CONNECTIONS: integer(100, 1_000_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000).default(500),
  MAX_CONNECTIONS_PER_KEY: integer(1, 1_000_000).default(2_000),
  MAX_HELD_PER_ADDRESS: integer(1, 1_000_000).default(200),
  MAX_HELD_PER_KEY: integer(1, 1_000_000).default(1_000),
}

const recordVariables = { REQUEST_LOG: z.enum(['on', 'off']).default('on') }

const secretHex = z
  .string()
  .regex(/^[0-9a-f]{64}$/, {
    error: 'expected 32 bytes as 64 lower-case hex digits (openssl rand -hex 32 makes them)',
    abort: true,
  })
  .refine(
    (text) => !/^(.)\1*$/.test(text),
    'expected random bytes, not one digit 64 times (openssl rand -hex 32 makes them)',
  )

const webhookVariables = {
  SECRETS_KEY: secretHex,
  WEBHOOK_ALLOW_PRIVATE: trueOrFalse.default('false'),
}

const retentionDays = integer(0, 36_500)

export const retentionVariables = z.object({
  EVENT_RETENTION_DAYS: retentionDays.default(90),
  DELIVERY_RETENTION_DAYS: retentionDays.default(30),
  ATTEMPT_RETENTION_DAYS: retentionDays.default(14),
})

const storageVariables = {
  ...retentionVariables.shape,
  DATABASE_CAPACITY_GB: integer(1, 1_000_000).optional(),
}

const httpOrigin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text),
    'expected an origin, as in https://api.example',
  )

const consoleVariables = {
  CONSOLE_ORIGIN: httpOrigin.optional(),
  CONSOLE_OIDC_ISSUER: httpUrl.optional(),
  CONSOLE_OIDC_CLIENT_ID: z.string().optional(),
  CONSOLE_OIDC_CLIENT_SECRET: z.string().optional(),
}

export const keeperVariables = z.object({
  SMART_DEPOSIT_KEEPER: commaSeparated.pipe(z.array(kmsKey)).optional(),
  SMART_DEPOSIT_KEEPER_ADDRESS: commaSeparated.pipe(z.array(account)).optional(),
  SMART_DEPOSIT_KEEPER_PRIVATE_KEY: commaSeparated.pipe(z.array(privateKey)).optional(),
  ...kmsVariables,
})

const workerMetricsVariables = {
  // On one machine the worker cannot share the API's port.
  WORKER_METRICS_PORT: port.optional(),
}

export const indexerVariables = z.object({
  ...shared,
  INDEX_CHAINS: commaSeparated.pipe(
    z
      .array(
        z
          .string()
          .regex(/^[1-9]\d*$/, 'expected chain ids, as in 1,8453')
          .transform(Number),
      )
      .min(1, 'expected chain ids, as in 1,8453'),
  ),
  INDEX_POLL_MS: integer(50).default(500),
  REORG_PATIENCE_SECONDS: integer(3).default(90),
  METRICS_HOST: metricsVariables.METRICS_HOST,
  INDEXER_METRICS_PORT: port.optional(),
})

export const apiVariables = z.object({
  ...shared,
  DATABASE_READ_URL: replicaUrls.optional(),
  APP_SECRET: secretHex,
  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: port.default(4000),
  DRAIN_SECONDS: seconds.default(5),
  HEALTH_MAX_LAG_SECONDS: seconds.default(300),
  LIST_MAX_STALE_SECONDS: integer(0, 86_400).default(300),
  ...limitVariables,
  ...recordVariables,
  ...metricsVariables,
  ...tracingVariables,
  ...signerVariables.shape,
  ...quoteVariables,
  ...earnVariables,
  ...webhookVariables,
  ...consoleVariables,
  CONSOLE_LOCAL_SIGN_IN: trueOrFalse.default('false'),
  SHIELD_BOOK: z.string().optional(),
  REHEARSAL_REPORT: z.string().optional(),
})

export const workerVariables = z.object({
  ...shared,
  APP_SECRET: secretHex,
  METRICS_HOST: metricsVariables.METRICS_HOST,
  ...tracingVariables,
  ...keeperVariables.shape,
  ...payerScreeningVariables,
  ...quoteApiVariables,
  ...workerMetricsVariables,
  ...quoteVariables,
  ...earnVariables,
  ...webhookVariables,
  ...storageVariables,
})

/** Variables of the commands that work on the data directory of `npm start`. */
export const dataVariables = z.object({ DATA_DIRECTORY: z.string().default('.causeway') })

export const startVariables = z.object({
  DATA_DIRECTORY: dataVariables.shape.DATA_DIRECTORY,
  DATABASE_URL: shared.DATABASE_URL.optional(),
  DATABASE_DIRECT_URL: shared.DATABASE_DIRECT_URL,
  ADDRESS_BOOK: shared.ADDRESS_BOOK.optional(),
  ADDRESS_BOOK_ALLOW_UNVERIFIED: shared.ADDRESS_BOOK_ALLOW_UNVERIFIED,
  LOG_LEVEL: shared.LOG_LEVEL,
  APP_SECRET: secretHex.optional(),
  SECRETS_KEY: secretHex.optional(),
  WEBHOOK_ALLOW_PRIVATE: trueOrFalse.optional(),
  API_HOST: apiVariables.shape.API_HOST,
  API_PORT: apiVariables.shape.API_PORT,
  DRAIN_SECONDS: seconds.default(1),
  HEALTH_MAX_LAG_SECONDS: apiVariables.shape.HEALTH_MAX_LAG_SECONDS,
  LIST_MAX_STALE_SECONDS: apiVariables.shape.LIST_MAX_STALE_SECONDS,
  INDEX_POLL_MS: indexerVariables.shape.INDEX_POLL_MS,
  REORG_PATIENCE_SECONDS: integer(3).optional(),
  INDEXER_METRICS_PORT: indexerVariables.shape.INDEXER_METRICS_PORT,
  ...limitVariables,
  ...recordVariables,
  ...metricsVariables,
  ...tracingVariables,
  ...signerVariables.shape,
  ...quoteVariables,
  ...earnVariables,
  ...keeperVariables.shape,
  ...payerScreeningVariables,
  ...workerMetricsVariables,
  ...storageVariables,
  ...consoleVariables,
  INDEX_GROUPS: z
    .string()
    .regex(/^\d+(,\d+)*(;\d+(,\d+)*)*$/, 'expected chain ids, as in "1,4663;8453"')
    .transform((text) => text.split(';').map((group) => group.split(',').map(Number)))
    .optional(),
  POSTGRES_PORT: port.default(54_330),
  ANVIL_BASE_PORT: port.default(8_545),
  ATTESTATION_PORT: port.default(54_331),
})

/**
 * Parses a process's environment. An empty variable counts as absent. A variable that is set under a
 * misspelled name is a problem too. Throws `EnvironmentError`.
 */
export function loadEnvironment<Variables extends z.ZodObject>(
  variables: Variables,
  source: NodeJS.ProcessEnv,
): z.output<Variables> {
  const given = withoutEmpty(source)
  const result = variables.safeParse(given)
  const misspelled = findMisspelled(Object.keys(variables.shape), given)
  const reported = new Set(misspelled.map(({ name }) => name))
  const problems = [
    ...misspelled.map(describeMisspelled),
    ...(result.error?.issues ?? []).flatMap(({ path: [name], message }) =>
      reported.has(String(name))
        ? []
        : [
            `${String(name)}: ${given[String(name)] === undefined ? 'is not set. Set it.' : message}`,
          ],
    ),
  ]
  if (result.success && problems.length === 0) return result.data
  throw new EnvironmentError(problems)
}

/** The variables that are right, for a check that needs only some. `loadEnvironment` reports the others. */
export function loadValid<Variables extends z.ZodObject>(
  variables: Variables,
  source: NodeJS.ProcessEnv,
): Partial<z.output<Variables>> {
  const given = withoutEmpty(source)
  const valid = Object.entries(variables.shape).flatMap(([name, type]) => {
    const { success, data } = z.safeParse(type, given[name])
    return success ? [[name, data]] : []
  })
  // Each value was parsed by the type of its name.
  return Object.fromEntries(valid) as Partial<z.output<Variables>>
}

function withoutEmpty(source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}
