import { z } from 'zod'

const port = z.coerce.number().int().min(1).max(65_535)
const seconds = z.coerce.number().int().nonnegative()
const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

const shared = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  ADDRESS_BOOK: z.string().min(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
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
  APP_SECRET: z.string().regex(/^[0-9a-f]{64}$/, 'expected 32 bytes as 64 lower-case hex digits'),
  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: port.default(4000),
  DRAIN_SECONDS: seconds.default(5),
  HEALTH_MAX_LAG_SECONDS: seconds.default(300),
})

export const startVariables = z.object({
  DATABASE_URL: shared.DATABASE_URL.optional(),
  ADDRESS_BOOK: shared.ADDRESS_BOOK.optional(),
  LOG_LEVEL: shared.LOG_LEVEL,
  APP_SECRET: apiVariables.shape.APP_SECRET.optional(),
  API_HOST: apiVariables.shape.API_HOST,
  API_PORT: apiVariables.shape.API_PORT,
  DRAIN_SECONDS: seconds.default(1),
  HEALTH_MAX_LAG_SECONDS: apiVariables.shape.HEALTH_MAX_LAG_SECONDS,
  INDEX_POLL_MS: indexerVariables.shape.INDEX_POLL_MS,
  INDEX_GROUPS: z
    .string()
    .regex(/^\d+(,\d+)*(;\d+(,\d+)*)*$/, 'expected chain ids as in "1,4663;8453"')
    .transform((text) => text.split(';').map((group) => group.split(',').map(Number)))
    .optional(),
  POSTGRES_PORT: port.default(54_330),
  ANVIL_BASE_PORT: port.default(8_545),
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
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const result = variables.safeParse(given)
  if (result.success) return result.data
  const lines = result.error.issues.map(({ path, message }) => {
    const name = String(path[0])
    return `  ${name}: ${given[name] === undefined ? 'is not set' : message}`
  })
  throw new EnvironmentError(
    `The environment is not complete (see .env.example):\n${lines.join('\n')}`,
  )
}

export type ChainUrls = { rpcUrls: string[]; wsUrls: string[] }

/** `RPC_URL_<chainId>` and `WS_URL_<chainId>`, comma-separated. Throws `EnvironmentError` without the first. */
export function loadChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  const problems: string[] = []
  const read = (name: string, protocol: RegExp) =>
    (source[name] ?? '')
      .split(',')
      .map((url) => url.trim())
      .filter(Boolean)
      .filter((url) => {
        const isRight = URL.canParse(url) && protocol.test(new URL(url).protocol)
        if (!isRight) problems.push(`  ${name}: "${url}" is not a URL of that kind`)
        return isRight
      })
  const urls = chainIds.map((id): [number, ChainUrls] => {
    const rpcUrls = read(`RPC_URL_${id}`, /^https?:$/)
    if (rpcUrls.length === 0) problems.push(`  RPC_URL_${id}: names no node`)
    return [id, { rpcUrls, wsUrls: read(`WS_URL_${id}`, /^wss?:$/) }]
  })
  if (problems.length > 0)
    throw new EnvironmentError(
      `The environment is not complete (see .env.example):\n${problems.join('\n')}`,
    )
  return new Map(urls)
}
