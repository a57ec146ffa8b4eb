import { readFile } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { DatabaseUrlError, readDatabaseUrl } from '../db/databaseUrl.ts'

function integer(lowest: number, highest = Number.MAX_SAFE_INTEGER) {
  const range =
    highest === Number.MAX_SAFE_INTEGER ? `${lowest} or more` : `${lowest} to ${highest}`
  const message = `expected an integer, ${range}`
  return z.coerce.number(message).int(message).min(lowest, message).max(highest, message)
}

const port = integer(1, 65_535)
const seconds = integer(0)
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

const shared = {
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  ADDRESS_BOOK: z.string().min(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
}

const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'expected a private key: 0x and 64 hex digits')
  .transform((value) => value as `0x${string}`)

const metricsVariables = {
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
}

const signerVariables = {
  QUOTE_SIGNER_PRIVATE_KEY: privateKey.optional(),
  QUOTE_SIGNER_PRIVATE_KEY_FILE: z.string().optional(),
}

const quoteVariables = {
  QUOTE_TTL_SECONDS: integer(1, 86_400).default(600),
  PERMIT_TTL_SECONDS: integer(1, 86_400).default(3_600),
  MESSAGE_FEE_HEADROOM_PERCENT: integer(0, 1_000).default(10),
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

const earnVariables = {
  DEPOSIT_SLIPPAGE_BPS: integer(0, 10_000).default(50),
  ATTESTATION_URL: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL', abort: true })
    .refine(
      (url) => !hasCredentials(url),
      'expected a URL without user and password (set ATTESTATION_API_KEY instead)',
    )
    .optional(),
  ATTESTATION_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected ASCII letters, digits and signs without spaces')
    .optional(),
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
  .refine(
    (text) => (text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)),
    'expected IP addresses or networks, as in 10.0.0.0/8,192.0.2.1',
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

const secretHex = z
  .string()
  .regex(
    /^[0-9a-f]{64}$/,
    'expected 32 bytes as 64 lower-case hex digits (openssl rand -hex 32 makes them)',
  )

const trueOrFalse = z.enum(['true', 'false'])

const webhookVariables = {
  SECRETS_KEY: secretHex,
  WEBHOOK_ALLOW_PRIVATE: trueOrFalse.default('false'),
}

const keeperVariables = {
  SMART_DEPOSIT_KEEPER_PRIVATE_KEY: privateKey.optional(),
  SMART_DEPOSIT_KEEPER_PRIVATE_KEY_FILE: z.string().optional(),
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
})

export const apiVariables = z.object({
  ...shared,
  APP_SECRET: secretHex,
  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: port.default(4000),
  DRAIN_SECONDS: seconds.default(5),
  HEALTH_MAX_LAG_SECONDS: seconds.default(300),
  ...limitVariables,
  ...metricsVariables,
  ...signerVariables,
  ...quoteVariables,
  ...earnVariables,
  ...webhookVariables,
})

export const workerVariables = z.object({
  ...shared,
  APP_SECRET: secretHex,
  METRICS_HOST: metricsVariables.METRICS_HOST,
  ...keeperVariables,
  ...quoteVariables,
  ...earnVariables,
  ...webhookVariables,
})

/** The key that signs quotes, or null if none is set. Throws `EnvironmentError` if it is not a private key. */
export async function loadQuoteSignerKey(
  environment: z.output<typeof apiVariables>,
): Promise<`0x${string}` | null> {
  const { QUOTE_SIGNER_PRIVATE_KEY: given, QUOTE_SIGNER_PRIVATE_KEY_FILE: file } = environment
  return loadPrivateKey('QUOTE_SIGNER_PRIVATE_KEY', given, file)
}

/** The keeper's key, or null if none is set. Throws `EnvironmentError` if it is not a private key. */
export async function loadKeeperKey(
  environment: z.output<typeof workerVariables>,
): Promise<`0x${string}` | null> {
  const { SMART_DEPOSIT_KEEPER_PRIVATE_KEY: given, SMART_DEPOSIT_KEEPER_PRIVATE_KEY_FILE: file } =
    environment
  return loadPrivateKey('SMART_DEPOSIT_KEEPER_PRIVATE_KEY', given, file)
}

async function loadPrivateKey(
  name: string,
  given: `0x${string}` | undefined,
  file: string | undefined,
): Promise<`0x${string}` | null> {
  if (given !== undefined || file === undefined) return given ?? null
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw environmentError([`  ${name}_FILE: cannot be read (${error.code}): ${file}`])
  })
  const { data } = privateKey.safeParse(text.trim())
  if (data) return data
  throw environmentError([
    `  ${name}_FILE: expected a file with a private key (0x and 64 hex digits): ${file}`,
  ])
}

/** Variables of the commands that work on the data directory of `npm start`. */
export const dataVariables = z.object({ DATA_DIRECTORY: z.string().default('.causeway') })

export const startVariables = z.object({
  DATA_DIRECTORY: dataVariables.shape.DATA_DIRECTORY,
  DATABASE_URL: shared.DATABASE_URL.optional(),
  DATABASE_DIRECT_URL: shared.DATABASE_DIRECT_URL,
  ADDRESS_BOOK: shared.ADDRESS_BOOK.optional(),
  LOG_LEVEL: shared.LOG_LEVEL,
  APP_SECRET: secretHex.optional(),
  SECRETS_KEY: secretHex.optional(),
  WEBHOOK_ALLOW_PRIVATE: trueOrFalse.optional(),
  API_HOST: apiVariables.shape.API_HOST,
  API_PORT: apiVariables.shape.API_PORT,
  DRAIN_SECONDS: seconds.default(1),
  HEALTH_MAX_LAG_SECONDS: apiVariables.shape.HEALTH_MAX_LAG_SECONDS,
  INDEX_POLL_MS: indexerVariables.shape.INDEX_POLL_MS,
  ...limitVariables,
  ...metricsVariables,
  ...signerVariables,
  ...quoteVariables,
  ...earnVariables,
  ...keeperVariables,
  INDEX_GROUPS: z
    .string()
    .regex(/^\d+(,\d+)*(;\d+(,\d+)*)*$/, 'expected chain ids, as in "1,4663;8453"')
    .transform((text) => text.split(';').map((group) => group.split(',').map(Number)))
    .optional(),
  POSTGRES_PORT: port.default(54_330),
  ANVIL_BASE_PORT: port.default(8_545),
  ATTESTATION_PORT: port.default(54_331),
})

/** The message has one line for each variable that is missing or wrong. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError'
}

/** Parses a process's environment. An empty variable counts as absent. Throws `EnvironmentError`. */
export function loadEnvironment<Variables extends z.ZodObject>(
  variables: Variables,
  source: NodeJS.ProcessEnv,
): z.output<Variables> {
  const given = withoutEmpty(source)
  const result = variables.safeParse(given)
  if (result.success) return result.data
  throw environmentError(describeIssues(result.error, given))
}

/**
 * The environment of `npm start`. Nodes and ADDRESS_BOOK must be set together, or neither of them.
 * Throws `EnvironmentError`.
 */
export function loadStartEnvironment(source: NodeJS.ProcessEnv): z.output<typeof startVariables> {
  const given = withoutEmpty(source)
  const result = startVariables.safeParse(given)
  const hasNodes = Object.keys(given).some((name) => /^RPC_URL_\d+$/.test(name))
  const problems = [
    ...(result.success ? [] : describeIssues(result.error, given)),
    ...badUrls(given),
    ...(hasNodes && !given.ADDRESS_BOOK
      ? [
          '  ADDRESS_BOOK: is not set, but RPC_URL_<chainId> is. Set both, or neither for local chains.',
        ]
      : []),
    ...(given.ADDRESS_BOOK && !hasNodes
      ? [
          '  RPC_URL_<chainId>: is not set, but ADDRESS_BOOK is. Set one for each of its chains, or neither for local chains.',
        ]
      : []),
  ]
  if (result.success && problems.length === 0) return result.data
  throw environmentError(problems)
}

export type ChainUrls = { rpcUrls: string[]; wsUrls: string[] }

/** Reads `RPC_URL_<chainId>` and `WS_URL_<chainId>`, comma-separated. Throws `EnvironmentError` if a chain has no RPC URL. */
export function loadChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  const missing = chainIds
    .filter((id) => urlsOf(source[`RPC_URL_${id}`]).length === 0)
    .map((id) => `  RPC_URL_${id}: is not set. Set the URL of at least one node of chain ${id}.`)
  const problems = [...missing, ...badUrls(source)]
  if (problems.length > 0) throw environmentError(problems)
  return chainUrls(chainIds, source)
}

/** Like `loadChainUrls`, but a chain may have no URL. Throws `EnvironmentError` if a value is not a URL. */
export function loadGivenChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  const problems = badUrls(source)
  if (problems.length > 0) throw environmentError(problems)
  return chainUrls(chainIds, source)
}

function chainUrls(chainIds: number[], source: NodeJS.ProcessEnv): Map<number, ChainUrls> {
  return new Map(
    chainIds.map((id) => [
      id,
      { rpcUrls: urlsOf(source[`RPC_URL_${id}`]), wsUrls: urlsOf(source[`WS_URL_${id}`]) },
    ]),
  )
}

const URL_KINDS = {
  RPC: { protocol: /^https?:$/, name: 'an http or https URL' },
  WS: { protocol: /^wss?:$/, name: 'a ws or wss URL' },
}

/** One line for each wrong URL in any RPC_URL_<chainId> or WS_URL_<chainId>. */
function badUrls(source: NodeJS.ProcessEnv): string[] {
  return Object.entries(source).flatMap(([name, value]) => {
    const kind = /^(RPC|WS)_URL_\d+$/.exec(name)?.[1] as keyof typeof URL_KINDS | undefined
    if (!kind) return []
    const { protocol, name: expected } = URL_KINDS[kind]
    // A URL may contain a key, so the message only counts.
    return urlsOf(value).flatMap((url, index) =>
      isUrl(url, protocol)
        ? []
        : [`  ${name}: URL ${index + 1} is not ${expected} without user name and password`],
    )
  })
}

function isUrl(text: string, protocols: RegExp): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocols.test(protocol) && username === '' && password === ''
}

function urlsOf(value = ''): string[] {
  return value
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean)
}

function withoutEmpty(source: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}

function describeIssues(error: z.ZodError, given: NodeJS.ProcessEnv): string[] {
  const lines = error.issues.map(({ path, message }) => {
    const name = String(path[0])
    return `  ${name}: ${given[name] === undefined ? 'is not set' : message}`
  })
  return [...new Set(lines)]
}

function environmentError(problems: string[]) {
  return new EnvironmentError(
    `Correct these variables (.env.example explains each):\n${problems.join('\n')}`,
  )
}
