import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Doubt } from '../../domain/health/doubt.ts'
import { apiVariables, loadValid } from '../environment.ts'
import { isLoopback } from './checkConsole.ts'

const ALL_ADDRESSES = ['0.0.0.0', '::', '[::]']

/** The doubtful values of an api's variables, for its log and its console. Only production is doubted. */
export function findProductionDoubts(
  { environment }: Pick<AddressBook, 'environment'>,
  source: NodeJS.ProcessEnv,
): Doubt[] {
  return environment === 'PRODUCTION' ? findDoubts(source) : []
}

/** The same whatever the address book is, for the doctor. */
export function findDoubts(source: NodeJS.ProcessEnv): Doubt[] {
  const given = loadValid(apiVariables, source)
  const origin = given.CONSOLE_ORIGIN === undefined ? null : new URL(given.CONSOLE_ORIGIN)
  const isOpen = given.API_HOST !== undefined && !isLoopback(given.API_HOST)
  const doubts: [boolean, message: string, advice: string][] = [
    [
      given.ADDRESS_BOOK_ALLOW_UNVERIFIED === 'true',
      'ADDRESS_BOOK_ALLOW_UNVERIFIED is true: a book that differs from its chains is taken',
      'Verify the book (npm run address-book -- verify), then unset it.',
    ],
    [
      given.WEBHOOK_ALLOW_PRIVATE === 'true',
      'WEBHOOK_ALLOW_PRIVATE is true: webhooks reach your own network, over http too',
      'Unset it, unless all endpoints are your own.',
    ],
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
    [
      given.METRICS_PORT !== undefined && ALL_ADDRESSES.includes(given.METRICS_HOST ?? ''),
      'METRICS_HOST is every address of this machine: whoever reaches the port reads the metrics',
      'Keep METRICS_PORT off the internet, or set one address.',
    ],
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
  ]
  return doubts.flatMap(([isTrue, message, advice]) => (isTrue ? [{ message, advice }] : []))
}

/** Whether what is sent there crosses a network that others can read. */
export function isClearText(url: URL | null): boolean {
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
}
