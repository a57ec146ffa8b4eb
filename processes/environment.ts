import { readFile } from 'node:fs/promises'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const port = z.coerce.number().int().min(1).max(65_535)
const seconds = z.coerce.number().int().nonnegative()
const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

/** What `/v2/<segment>/` is already, or will be. */
const TAKEN_SEGMENTS = ['earn', 'core', 'events', 'webhooks', 'transit']

const shared = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  ADDRESS_BOOK: z.string().min(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
}

const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'expected a private key: 0x and 64 hex digits')
  .transform((value) => value as `0x${string}`)

const measuring = {
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
}

const signing = {
  QUOTE_SIGNER_PRIVATE_KEY: privateKey.optional(),
  QUOTE_SIGNER_PRIVATE_KEY_FILE: z.string().optional(),
}

const quoting = {
  QUOTE_TTL_SECONDS: seconds.min(1).max(86_400).default(600),
  PERMIT_TTL_SECONDS: seconds.min(1).max(86_400).default(3_600),
  MESSAGE_FEE_HEADROOM_PERCENT: z.coerce.number().int().min(0).max(1_000).default(10),
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

const earning = {
  DEPOSIT_SLIPPAGE_BPS: z.coerce.number().int().min(0).max(10_000).default(50),
  ATTESTATION_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !hasCredentials(url),
      'holds a user or a password: the key has its own variable',
    )
    .optional(),
  ATTESTATION_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected letters, digits and signs without blanks')
    .optional(),
  PRODUCT_SEGMENTS: commaSeparated
    .pipe(
      z.array(
        z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected path segments of a-z, 0-9 and -')
          .refine((segment) => !TAKEN_SEGMENTS.includes(segment), 'is taken by other routes'),
      ),
    )
    .optional(),
}

const network = z
  .string()
  .refine(
    (text) => (text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)),
    'expected addresses and networks as in 10.0.0.0/8',
  )

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (URL.canParse(text) && new URL(text).origin === text),
    'expected * or origins as in https://app.example',
  )

const limitVariables = {
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  TRUST_PROXY: commaSeparated.pipe(z.array(network)).optional(),
  CORS_ORIGINS: commaSeparated.pipe(z.array(origin)).optional(),
  MAX_CONNECTIONS: z.coerce.number().int().min(100).max(1_000_000).default(10_000),
}

const secretHex = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'expected 32 bytes as 64 lower-case hex digits')

const trueOrFalse = z.enum(['true', 'false'])

const webhookVariables = {
  SECRETS_KEY: secretHex,
  WEBHOOK_ALLOW_PRIVATE: trueOrFalse.default('false'),
}

const keeperVariables = {
  SMART_DEPOSIT_KEEPER_PRIVATE_KEY: privateKey.optional(),
  SMART_DEPOSIT_KEEPER_PRIVATE_KEY_FILE: z.string().optional(),
  // The worker's own port: on one machine it cannot share the API's.
  WORKER_METRICS_PORT: port.optional(),
}

export const indexerVariables = z.object({
  ...shared,
  INDEX_CHAINS: commaSeparated.pipe(
    z
      .array(
        z
          .string()
          .regex(/^[1-9]\d*$/, 'expected chain ids')
          .transform(Number),
      )
      .min(1),
  ),
  INDEX_POLL_MS: z.coerce.number().int().min(50).default(500),
})

export const apiVariables = z.object({
  ...shared,
  APP_SECRET: secretHex,
  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: port.default(4000),
  DRAIN_SECONDS: seconds.default(5),
  HEALTH_MAX_LAG_SECONDS: seconds.default(300),
  ...limitVariables,
  ...measuring,
  ...signing,
  ...quoting,
  ...earning,
  ...webhookVariables,
})

export const workerVariables = z.object({
  ...shared,
  APP_SECRET: secretHex,
  METRICS_HOST: measuring.METRICS_HOST,
  ...keeperVariables,
  ...quoting,
  ...earning,
  ...webhookVariables,
})

/** The key quotes are signed with, if there is one. Throws `EnvironmentError` for one that is none. */
export async function loadQuoteSignerKey(
  environment: z.output<typeof apiVariables>,
): Promise<`0x${string}` | null> {
  const { QUOTE_SIGNER_PRIVATE_KEY: given, QUOTE_SIGNER_PRIVATE_KEY_FILE: file } = environment
  return loadPrivateKey('QUOTE_SIGNER_PRIVATE_KEY', given, file)
}

/** The keeper's key, if there is one. Throws `EnvironmentError` for one that is none. */
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
    throw incomplete([`  ${name}_FILE: cannot be read (${error.code})`])
  })
  const { data } = privateKey.safeParse(text.trim())
  if (data) return data
  throw incomplete([`  ${name}_FILE: holds no private key`])
}

/** What the commands beside a local start need to find it. */
export const dataVariables = z.object({ DATA_DIRECTORY: z.string().default('.causeway') })

export const startVariables = z.object({
  DATA_DIRECTORY: dataVariables.shape.DATA_DIRECTORY,
  DATABASE_URL: shared.DATABASE_URL.optional(),
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
  ...measuring,
  ...signing,
  ...quoting,
  ...earning,
  ...keeperVariables,
  INDEX_GROUPS: z
    .string()
    .regex(/^\d+(,\d+)*(;\d+(,\d+)*)*$/, 'expected chain ids as in "1,4663;8453"')
    .transform((text) => text.split(';').map((group) => group.split(',').map(Number)))
    .optional(),
  POSTGRES_PORT: port.default(54_330),
  ANVIL_BASE_PORT: port.default(8_545),
  ATTESTATION_PORT: port.default(54_331),
})

/** Names every variable that is missing or wrong, one per line. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError'
}

/** Parses a process's environment, an empty variable counting as absent. Throws `EnvironmentError`. */
export function loadEnvironment<Variables extends z.ZodObject>(
  variables: Variables,
  source: NodeJS.ProcessEnv,
): z.output<Variables> {
  const given = withoutEmpty(source)
  const result = variables.safeParse(given)
  if (result.success) return result.data
  throw incomplete(describeIssues(result.error, given))
}

/**
 * The environment of `npm start`. Real nodes and the address book of what is on them come together
 * or not at all. Throws `EnvironmentError`.
 */
export function loadStartEnvironment(source: NodeJS.ProcessEnv): z.output<typeof startVariables> {
  const given = withoutEmpty(source)
  const result = startVariables.safeParse(given)
  const hasNodes = Object.keys(given).some((name) => /^RPC_URL_\d+$/.test(name))
  const problems = [
    ...(result.success ? [] : describeIssues(result.error, given)),
    ...badUrls(given),
    ...(hasNodes && !given.ADDRESS_BOOK
      ? ['  ADDRESS_BOOK: is not set, though RPC_URL_<chainId> is: it must name what is there']
      : []),
    ...(given.ADDRESS_BOOK && !hasNodes
      ? ['  RPC_URL_<chainId>: is not set, though ADDRESS_BOOK is: its chains need nodes']
      : []),
  ]
  if (result.success && problems.length === 0) return result.data
  throw incomplete(problems)
}

export type ChainUrls = { rpcUrls: string[]; wsUrls: string[] }

/** `RPC_URL_<chainId>` and `WS_URL_<chainId>`, comma-separated. Throws `EnvironmentError` without the first. */
export function loadChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  const missing = chainIds
    .filter((id) => urlsOf(source[`RPC_URL_${id}`]).length === 0)
    .map((id) => `  RPC_URL_${id}: names no node`)
  const problems = [...missing, ...badUrls(source)]
  if (problems.length > 0) throw incomplete(problems)
  return chainUrls(chainIds, source)
}

/** As `loadChainUrls`, but a chain may have none. Throws `EnvironmentError` for what is no URL. */
export function loadGivenChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  const problems = badUrls(source)
  if (problems.length > 0) throw incomplete(problems)
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

const URL_PROTOCOLS = { RPC: /^https?:$/, WS: /^wss?:$/ }

/** The problems of all RPC_URL_<chainId> and WS_URL_<chainId> there are. */
function badUrls(source: NodeJS.ProcessEnv): string[] {
  return Object.entries(source).flatMap(([name, value]) => {
    const kind = /^(RPC|WS)_URL_\d+$/.exec(name)?.[1] as keyof typeof URL_PROTOCOLS | undefined
    if (!kind) return []
    return urlsOf(value)
      .filter((url) => !(URL.canParse(url) && URL_PROTOCOLS[kind].test(new URL(url).protocol)))
      .map((url) => `  ${name}: "${url}" is not a URL of that kind`)
  })
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
  return error.issues.map(({ path, message }) => {
    const name = String(path[0])
    return `  ${name}: ${given[name] === undefined ? 'is not set' : message}`
  })
}

function incomplete(problems: string[]) {
  return new EnvironmentError(
    `The environment is not complete (see .env.example):\n${problems.join('\n')}`,
  )
}
