import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type ConnectionOptions, parse } from 'pg-connection-string'
import { socketToPrimary } from './primary.ts'

/** Seconds that a connection may take, if the URL does not name `connect_timeout`. */
const CONNECT_TIMEOUT = 5

const SSL_MODES = ['disable', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

/** `ssl` is what clients of other languages write for `sslmode`. */
const SSL_SPELLINGS: Record<string, SslMode> = {
  allow: 'prefer',
  true: 'verify-full',
  '1': 'verify-full',
  false: 'disable',
  '0': 'disable',
}

const FILES = ['sslrootcert', 'sslcert', 'sslkey']
/** Read by both drivers after `pgUrl`. */
const READ = ['host', 'port', 'user', 'password', 'options', ...FILES]
/** Have no effect here, but providers put them into their URLs. */
const IGNORED = [
  'application_name',
  'channel_binding',
  'connection_limit',
  'fallback_application_name',
  'gssencmode',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'pool_timeout',
  'sslsni',
  'supa',
  'target_session_attrs',
  'tcp_user_timeout',
  'uselibpqcompat',
]
const OWN = ['sslmode', 'ssl', 'connect_timeout', 'pgbouncer']

/** Names what is wrong and what to write instead, in one line that has no part of a password. */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseUrlError'
}

type DatabaseUrl = {
  /** With parameters that `pg` reads as libpq does. Of several servers the first. */
  url: URL
  /** The same for each server, in the order of the URL. */
  urls: URL[]
  sslMode: SslMode
  /** Seconds; 0 means for ever. */
  connectTimeout: number
  /** Whether it goes through a pooler, which hands one session to many clients. */
  isPooled: boolean
}

/**
 * The one reading of a database's URL, with the meaning that libpq gives it, so that it does the same in
 * `psql` and in every driver. PGSSLMODE and PGSSLROOTCERT count where it names neither. Throws `DatabaseUrlError`.
 */
export function readDatabaseUrl(
  text: string,
  environment: NodeJS.ProcessEnv = process.env,
): DatabaseUrl {
  const { url, hosts } = parseUrl(text)
  const given = new Map(url.searchParams)
  const unknown = [...given.keys()].find((name) => ![...READ, ...IGNORED, ...OWN].includes(name))
  if (unknown !== undefined)
    throw new DatabaseUrlError(
      `the parameter ${unknown} is not known: remove it (known: sslmode, ${READ.join(', ')}, connect_timeout)`,
    )
  for (const name of [...IGNORED, ...OWN]) url.searchParams.delete(name)
  const rootFile = given.get('sslrootcert') ?? environment.PGSSLROOTCERT
  const sslMode = readSslMode(
    given.get('sslmode') ?? given.get('ssl') ?? environment.PGSSLMODE,
    rootFile,
  )
  if (rootFile) url.searchParams.set('sslrootcert', rootFile)
  writeSslMode(url, sslMode, rootFile)
  for (const name of FILES) completePath(url, name)
  const urls = hosts.map((host) => withHost(url, host))
  if (urls.some(({ hostname }) => sslMode === 'verify-full' && isIP(unbracketed(hostname))))
    throw new DatabaseUrlError('sslmode=verify-full needs a host name, not an IP address')
  return {
    url,
    urls,
    sslMode,
    connectTimeout: readSeconds(given.get('connect_timeout')),
    isPooled: given.get('pgbouncer') === 'true',
  }
}

/** The options of a `PgClient`. */
export function pgOptions(text: string, applicationName: string) {
  const { url, urls, connectTimeout } = readDatabaseUrl(text)
  return {
    urls,
    connectionString: url.href,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout * 1_000,
  }
}

/** The options of a postgres.js pool: those that `pg` reads from the same URL. */
export function postgresOptions(text: string) {
  const { url, urls, connectTimeout, isPooled } = readDatabaseUrl(text)
  const { host, port, user, password, database, ssl, options }: ConnectionOptions = parse(url.href)
  return {
    isPooled,
    target: {
      // Cast, because postgres.js declares lists in `BaseOptions` but not in `Options`. It would split one
      // value at its colons, and an IPv6 address has them.
      host: [host || 'localhost'] as unknown as string,
      port: [Number(port) || 5432] as unknown as number,
      ...(user ? { user } : {}),
      ...(password ? { password } : {}),
      ...(database ? { database } : {}),
      ...(host?.startsWith('/') ? { path: `${host}/.s.PGSQL.${port || 5432}` } : {}),
      ssl: typeof ssl === 'object' ? ssl : Boolean(ssl),
      connect_timeout: connectTimeout,
      ...(urls.length > 1 ? { socket: () => socketToPrimary(urls) } : {}),
    },
    startup: options ? { options } : {},
  }
}

/** The same URL with another value of one parameter. */
export function withParameter(text: string, name: string, value: string): string {
  const { url, hosts } = parseUrl(text)
  url.searchParams.set(name, value)
  if (hosts.length === 1) return url.href
  const [, begin, , end] = PARTS.exec(url.href) ?? []
  return `${begin}${hosts}${end}`
}

/** Divides a URL into three parts: the text before its hosts, the hosts, and the text after them. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/

/** The URL with its first host, and all hosts with their ports. */
function parseUrl(text: string): { url: URL; hosts: string[] } {
  const [, begin = '', given = '', end = ''] = PARTS.exec(text) ?? []
  const hosts = given.split(',')
  // A URL that names the host in a parameter, such as the folder of a socket, has none of its own.
  const complete = hosts.map((host) => begin + (host || 'localhost') + end)
  const isList = hosts.length === 1 || hosts.every(Boolean)
  if (!/^postgres(ql)?:\/\//.test(text) || !isList || !complete.every((one) => URL.canParse(one)))
    throw new DatabaseUrlError(
      'expected a URL as in postgres://user:password@host:5432/database, with special characters percent-encoded',
    )
  const url = new URL(complete[0] ?? '')
  try {
    decodeURIComponent(url.username + url.password + url.pathname)
  } catch {
    throw new DatabaseUrlError(
      'user, password or database has a % that is not percent-encoded (%25)',
    )
  }
  return { url, hosts }
}

function withHost(url: URL, host: string): URL {
  const own = new URL(url)
  if (!host) return own
  const { hostname, port } = new URL(`postgres://${host}`)
  // An assignment to `host` would leave the port of the first one where it names none.
  return Object.assign(own, { hostname, port })
}

const unbracketed = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

function readSslMode(given: string | undefined, rootFile: string | undefined): SslMode {
  // A URL with a root certificate expects that it is checked. libpq would only prefer TLS, and check nothing.
  if (!given) return rootFile ? 'verify-full' : 'disable'
  const mode = SSL_SPELLINGS[given] ?? SSL_MODES.find((known) => known === given)
  if (!mode)
    throw new DatabaseUrlError(`sslmode ${given} is not known: expected ${SSL_MODES.join(', ')}`)
  if (mode === 'verify-ca' && !rootFile)
    throw new DatabaseUrlError(
      'sslmode=verify-ca needs sslrootcert, the file of the CA: add it, or use verify-full',
    )
  if (rootFile === 'system' && mode !== 'verify-full' && mode !== 'disable')
    throw new DatabaseUrlError('sslrootcert=system needs sslmode=verify-full')
  return mode
}

/** Writes the mode so that pg-connection-string, which knows no `no-verify` in its libpq mode, reads it as meant. */
function writeSslMode(url: URL, mode: SslMode, rootFile: string | undefined) {
  url.searchParams.set('uselibpqcompat', 'true')
  url.searchParams.set('sslmode', mode === 'no-verify' ? 'require' : mode)
  // With a root certificate, `require` means `verify-ca`. Node has the certificates of `system` itself.
  const isUnused = mode === 'no-verify' || mode === 'disable' || rootFile === 'system'
  if (isUnused) url.searchParams.delete('sslrootcert')
}

/** A child process may run in another folder. */
function completePath(url: URL, name: string) {
  const given = url.searchParams.get(name)
  if (!given) return
  const path = resolve(given)
  url.searchParams.set(name, path)
  try {
    readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new DatabaseUrlError(`${name} cannot be read (${code}): ${path}`)
  }
}

function readSeconds(given: string | undefined): number {
  if (given === undefined) return CONNECT_TIMEOUT
  if (!/^\d+$/.test(given)) throw new DatabaseUrlError('connect_timeout: expected whole seconds')
  return Number(given)
}
