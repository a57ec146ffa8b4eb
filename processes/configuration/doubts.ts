import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Doubt } from '../../domain/health/doubt.ts'
import { apiVariables, indexerVariables, loadValid, workerVariables } from '../environment.ts'
import type { Logger } from '../logger.ts'
import { isLoopback } from './checkConsole.ts'

const ALL_ADDRESSES = ['0.0.0.0', '::', '[::]']

type Finder = (source: NodeJS.ProcessEnv) => Doubt[]

/** The doubtful values of a process' variables, for its log and the console. Only production is doubted. */
export function findProductionDoubts(
  { environment }: Pick<AddressBook, 'environment'>,
  source: NodeJS.ProcessEnv,
  find: Finder,
): Doubt[] {
  return environment === 'PRODUCTION' ? find(source) : []
}

/** Those of all processes, each once, for the doctor. */
export function findAllDoubts(source: NodeJS.ProcessEnv): Doubt[] {
  const found = [findApiDoubts, findWorkerDoubts, findIndexerDoubts].flatMap((find) => find(source))
  return [...new Map(found.map((doubt) => [doubt.message, doubt])).values()]
}

export function findWorkerDoubts(source: NodeJS.ProcessEnv): Doubt[] {
  const given = loadValid(workerVariables, source)
  return doubtsOf([
    unverifiedBook(given.ADDRESS_BOOK_ALLOW_UNVERIFIED),
    privateWebhooks(given.WEBHOOK_ALLOW_PRIVATE),
    openMetrics(given.METRICS_HOST, given.WORKER_METRICS_PORT),
  ])
}

export function findIndexerDoubts(source: NodeJS.ProcessEnv): Doubt[] {
  const given = loadValid(indexerVariables, source)
  return doubtsOf([
    unverifiedBook(given.ADDRESS_BOOK_ALLOW_UNVERIFIED),
    openMetrics(given.METRICS_HOST, given.INDEXER_METRICS_PORT),
  ])
}

export function findApiDoubts(source: NodeJS.ProcessEnv): Doubt[] {
  const given = loadValid(apiVariables, source)
  const origin = given.CONSOLE_ORIGIN === undefined ? null : new URL(given.CONSOLE_ORIGIN)
  const isOpen = given.API_HOST !== undefined && !isLoopback(given.API_HOST)
  return doubtsOf([
    unverifiedBook(given.ADDRESS_BOOK_ALLOW_UNVERIFIED),
    privateWebhooks(given.WEBHOOK_ALLOW_PRIVATE),
    [
      given.RATE_LIMITS === 'off',
      'RATE_LIMITS is off',
      'Set it to on, unless a gateway limits each client.',
    ],
    [
      given.CORS_ORIGINS?.includes('*') === true,
      'CORS_ORIGINS is *: every web page may call, with the address and the limits of its visitor',
      'Name the origins of your apps, unless strangers shall build on it.',
    ],
    openMetrics(given.METRICS_HOST, given.METRICS_PORT),
    [
      isClearText(origin),
      'CONSOLE_ORIGIN is http: passwords and sessions cross the network in clear text',
      'Put TLS before the api, and set the https origin.',
    ],
    [
      isOpen && !given.TRUST_PROXY,
      'TRUST_PROXY is not set: behind a proxy, all clients share the limits of its one address',
      'Set it to the addresses of your proxies, unless clients connect directly.',
    ],
    [
      isOpen && source.NODE_ENV !== 'production',
      'NODE_ENV is not production: graphql runs extra checks on every value',
      'Set NODE_ENV=production for the api.',
    ],
  ])
}

/** One line each. */
export function logDoubts(logger: Pick<Logger, 'warn'>, doubts: Doubt[]): void {
  for (const { message, advice } of doubts) logger.warn(`${message}. ${advice}`)
}

type Possible = [isTrue: boolean, message: string, advice: string]

/** The doubts whose condition is true. */
export function doubtsOf(possible: Possible[]): Doubt[] {
  return possible.flatMap(([isTrue, message, advice]) => (isTrue ? [{ message, advice }] : []))
}

function unverifiedBook(allowed: string | undefined): Possible {
  return [
    allowed === 'true',
    'ADDRESS_BOOK_ALLOW_UNVERIFIED is true: a book that differs from its chains is taken',
    'Verify the book (npm run address-book -- verify), then unset it.',
  ]
}

function privateWebhooks(allowed: string | undefined): Possible {
  return [
    allowed === 'true',
    'WEBHOOK_ALLOW_PRIVATE is true: webhooks reach your own network, over http too',
    'Unset it, unless all endpoints are your own.',
  ]
}

function openMetrics(host = '', port: number | undefined): Possible {
  return [
    port !== undefined && ALL_ADDRESSES.includes(host),
    'METRICS_HOST is every address of this machine: whoever reaches the port reads the metrics',
    'Keep the ports of metrics off the internet, or set one address.',
  ]
}

/** Whether what is sent there crosses a network that others can read. */
export function isClearText(url: URL | null): boolean {
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
}
