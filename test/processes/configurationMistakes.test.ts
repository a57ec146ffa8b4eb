import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runAdmin } from '../../cli/admin/runAdmin.ts'
import { type Anvil, startAnvil } from '../../devnet/anvil.ts'
import { stamped } from '../../domain/addressBook/bookStamp.ts'
import { EnvironmentError, problemsOf } from '../../processes/configuration/environmentError.ts'
import {
  loadApiConfiguration,
  loadIndexerConfiguration,
  loadWorkerConfiguration,
} from '../../processes/configuration/serviceConfiguration.ts'
import { loadStartConfiguration } from '../../processes/start/startConfiguration.ts'
import { testAddressBook } from '../support/addressBook.ts'
import { endedCommand, spawnedCommand } from '../support/endedCommand.ts'
import { freePortRow, freePorts } from '../support/freePorts.ts'
import { createTestDatabase, type TestDatabase, withDatabase } from '../support/postgres.ts'

/** A value, and the line that it must cause; no line for a value that is right. */
type Mistake = [variable: string, value: string, line?: RegExp | undefined]

const SECRET = 'ab'.repeat(32)
const STRANGER = 'causeway_stranger'
let folder: string
let database: TestDatabase
/** A node of chain 5, which no address book here has. */
let node: Anvil
let server: Server
let taken: number
let free: number
/** The first of seven free ports. */
let row: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-mistakes-'))
  database = await createTestDatabase()
  const ports = await freePorts(3)
  ;[taken = 0, free = 0] = ports
  row = await freePortRow(7)
  node = await startAnvil({ chainId: 5, port: ports[2] ?? 0 })
  server = createServer()
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve))
  const { environment, chains, tokens, transitRoutes } = testAddressBook
  const book = { environment, chains, tokens, transitRoutes }
  await writeFile(join(folder, 'book.json'), JSON.stringify(book))
  await writeFile(join(folder, 'wrong.json'), JSON.stringify({ ...book, tokens: 1, chains: [] }))
  await writeFile(join(folder, 'text.json'), '{\n  chains:\n')
  await writeFile(join(folder, 'key'), 'ab'.repeat(32))
  await mkdir(join(folder, 'directory'))
  await query(`drop role if exists ${STRANGER}`)
  await query(`create role ${STRANGER} login password 'stranger'`)
})
afterAll(async () => {
  await query(`drop role if exists ${STRANGER}`)
  await new Promise((resolve) => server.close(resolve))
  await node.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

async function query(statement: string) {
  const client = new pg.Client({ connectionString: inject('superuserUrl') })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function databaseUrl(change: (url: URL) => void): string {
  const url = new URL(database.url)
  change(url)
  return url.href
}

/** Loads a configuration with all mistakes. Each must be one line, and there must be no other. */
async function expectLines(
  load: (source: NodeJS.ProcessEnv) => Promise<unknown>,
  mistakes: Mistake[],
) {
  const source = Object.fromEntries(mistakes.map(([name, value]) => [name, value]))
  const failure = await load(source).catch((error: unknown) => error)
  if (!(failure instanceof EnvironmentError)) throw failure
  expectProblems(failure.message, mistakes)
}

function expectProblems(output: string, mistakes: Mistake[]) {
  const lines = output.trim().split('\n').slice(1)
  const expected = mistakes.flatMap(([, , line]) => line ?? [])
  const wrong = expected.filter((line) => lines.filter((text) => line.test(text)).length !== 1)
  expect({ wrong, count: lines.length, output }).toMatchObject({
    wrong: [],
    count: expected.length,
  })
  for (const secret of [SECRET, 'wrong-password', 'url-key']) expect(output).not.toContain(secret)
}

/** Starts the real process. It must end with code 1, and show no stack. */
async function expectEnd(entry: string, mistakes: Mistake[]) {
  const variables = Object.fromEntries(mistakes.map(([name, value]) => [name, value]))
  const { code, stdout, stderr } = await spawnedCommand(entry, [], variables)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expectProblems(stderr, mistakes)
}

test('api: variables, files, a port and a password', () =>
  expectLines(loadApiConfiguration, [
    [
      'DATABASE_URL',
      databaseUrl((url) => {
        url.password = 'wrong-password'
      }),
      /^ {2}DATABASE_URL: Postgres refuses the password of user "causeway"\. Correct it/,
    ],
    [
      'ADDRESS_BOOK',
      join(folder, 'none.json'),
      /^ {2}ADDRESS_BOOK: .*none.json: cannot be read \(ENOENT\)/,
    ],
    ['APP_SECRET', 'short', /^ {2}APP_SECRET: expected 32 bytes as 64 lower-case hex digits/],
    ['SECRET_KEY', SECRET, /^ {2}SECRETS_KEY: is not set, but SECRET_KEY is\. Correct the name/],
    [
      'API_PORT',
      String(taken),
      /^ {2}API_PORT: port \d+ is taken.*\. Stop that process, or set another port/,
    ],
    ['METRICS_PORT', String(taken + 70_000), /^ {2}METRICS_PORT: expected an integer, 1 to 65535/],
    [
      'QUOTE_SIGNER_PRIVATE_KEY_FILE',
      join(folder, 'directory'),
      /^ {2}QUOTE_SIGNER_PRIVATE_KEY_FILE: cannot be read \(EISDIR\).*Name a file/,
    ],
    ['RPC_URL_1', 'wss://one.example/url-key', /^ {2}RPC_URL_1: expected an http or https URL/],
    ['TRUST_PROXY', 'true', /^ {2}TRUST_PROXY: expected IP addresses or networks, as in/],
    [
      'ATTESTATION_API_KEY',
      'url-key',
      /^ {2}ATTESTATION_URL: is not set, but ATTESTATION_API_KEY is\. Set both/,
    ],
    ['LOG_LEVEL', 'loud', /^ {2}LOG_LEVEL: .*expected one of/],
  ]))

test('api: a node of another chain, a missing one, a database that is down', () =>
  expectLines(loadApiConfiguration, [
    [
      'DATABASE_URL',
      `postgres://a:b@127.0.0.1:${free}/c`,
      /^ {2}DATABASE_URL: no Postgres listens at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start it/,
    ],
    ['ADDRESS_BOOK', join(folder, 'book.json')],
    ['APP_SECRET', SECRET],
    ['SECRETS_KEY', SECRET, /^ {2}SECRETS_KEY: is equal to APP_SECRET\. Make a second one/],
    [
      'API_HOST',
      '192.0.2.1',
      /^ {2}API_HOST: this machine has no address 192\.0\.2\.1\. Set 127\.0\.0\.1/,
    ],
    [
      'RPC_URL_1',
      `${node.rpcUrl}?key=url-key`,
      /^ {2}RPC_URL_1: URL 1 \(127\.0\.0\.1:\d+\) is a node of chain 5\. Set one of chain 1\./,
    ],
    ['RPC_URL_4663', ''],
    [
      'RPC_URL_466',
      'http://127.0.0.1:1',
      /^ {2}RPC_URL_4663: is not set\. Set the URL of a node of chain 4663/,
    ],
    [
      'QUOTE_SIGNER_PRIVATE_KEY_FILE',
      join(folder, 'key'),
      /^ {2}QUOTE_SIGNER_PRIVATE_KEY_FILE: expected a private key: 0x and 64 hex digits \(/,
    ],
  ]))

test.each([
  ['api', loadApiConfiguration],
  ['worker', loadWorkerConfiguration],
  ['indexer', loadIndexerConfiguration],
  ['start', loadStartConfiguration],
])('%s: an address book for production that was never verified', async (_, load) => {
  const path = join(folder, 'unverified.json')
  const { chains, tokens } = testAddressBook
  const book = { environment: 'PRODUCTION', chains, tokens, transitRoutes: [] }
  await writeFile(path, JSON.stringify(book))
  const given = { ADDRESS_BOOK: path, RPC_URL_1: node.rpcUrl, INDEX_CHAINS: '1' }
  const lines = async (source: NodeJS.ProcessEnv) =>
    (await problemsOf(load(source))).filter((line) => line.includes('was not verified'))
  expect(await lines(given)).toEqual([
    `ADDRESS_BOOK: ${path} was not verified against its chains. Run npm run address-book -- verify --file ${path}.`,
  ])
  expect(await lines({ ...given, ADDRESS_BOOK_ALLOW_UNVERIFIED: 'true' })).toEqual([])
})

test('api: what production never has', async () => {
  const { chains, tokens } = testAddressBook
  const book = { environment: 'PRODUCTION', chains, tokens, transitRoutes: [] }
  await writeFile(join(folder, 'production.json'), JSON.stringify(stamped(book, [])))
  const given = (name: string, proxies: string, lines: [RegExp?, RegExp?]): Mistake[] => [
    ['DATABASE_URL', database.url],
    ['ADDRESS_BOOK', join(folder, name)],
    [
      'APP_SECRET',
      '0'.repeat(64),
      /^ {2}APP_SECRET: expected random bytes, not one digit 64 times/,
    ],
    ['SECRETS_KEY', SECRET],
    ['TRUST_PROXY', proxies, /^ {2}TRUST_PROXY: expected the networks of your own/],
    ['CONSOLE_ORIGIN', 'http://api.example', lines[0]],
    ['CONSOLE_OIDC_ISSUER', 'http://id.example', lines[1]],
    ['CONSOLE_OIDC_CLIENT_ID', 'one'],
    ['CONSOLE_OIDC_CLIENT_SECRET', 'two'],
    ['RPC_URL_1', '', /^ {2}RPC_URL_1: is not set/],
    ['RPC_URL_4663', '', /^ {2}RPC_URL_4663: is not set/],
  ]
  const never: [RegExp, RegExp] = [
    /^ {2}CONSOLE_ORIGIN: is http, so passwords and sessions .* Set an https URL/,
    /^ {2}CONSOLE_OIDC_ISSUER: is http, so whoever is on the way could sign in/,
  ]
  await expectLines(loadApiConfiguration, given('production.json', '10.0.0.0/8,::/0', never))
  // A network of one's own may do without TLS.
  await expectLines(loadApiConfiguration, given('book.json', '0.0.0.0/0', []))
})

test('worker: a book with two wrong places, two ports in one, no such database', () =>
  expectLines(loadWorkerConfiguration, [
    [
      'DATABASE_URL',
      withDatabase(database.url, 'nowhere'),
      /^ {2}DATABASE_URL: there is no database "nowhere"\. Create it/,
    ],
    ['ADDRESS_BOOK', join(folder, 'wrong.json'), /^ {2}ADDRESS_BOOK: .*wrong\.json: chains: /],
    ['', '', /^ {2}ADDRESS_BOOK: .*wrong\.json: tokens: /],
    ['APP_SECRET', '', /^ {2}APP_SECRET: is not set\. Set it\./],
    [
      'SECRETS_KEY',
      SECRET.toUpperCase(),
      /^ {2}SECRETS_KEY: expected 32 bytes as 64 lower-case hex digits/,
    ],
    ['WS_URL_4663', 'https://one.example/url-key', /^ {2}WS_URL_4663: expected a ws or wss URL/],
    [
      'SMART_DEPOSIT_KEEPER_PRIVATE_KEY',
      `0x${'0'.repeat(64)}`,
      /^ {2}SMART_DEPOSIT_KEEPER_PRIVATE_KEY: is no private key/,
    ],
    ['WORKER_METRICS_PORT', String(taken), /^ {2}WORKER_METRICS_PORT: port \d+ is taken/],
    ['DEPOSIT_SLIPPAGE_BPS', '0.5%', /^ {2}DEPOSIT_SLIPPAGE_BPS: expected an integer, 0 to 10000/],
  ]))

test('indexer: a chain outside of the book, a socket of another chain, no rights', () =>
  expectLines(loadIndexerConfiguration, [
    [
      'DATABASE_URL',
      'localhost:5432/causeway',
      /^ {2}DATABASE_URL: expected a URL as in postgres:/,
    ],
    ['ADDRESS_BOOK', join(folder, 'book.json')],
    [
      'INDEX_CHAINS',
      '1,5',
      /^ {2}INDEX_CHAINS: the address book has no chain 5\. Name some of 1, 4663\./,
    ],
    ['INDEX_POLL_MS', '1', /^ {2}INDEX_POLL_MS: expected an integer, 50 or more/],
    ['RPC_URL_1', 'http://127.0.0.1:1'],
    ['RPC_URL_5', node.rpcUrl],
    [
      'WS_URL_1',
      node.wsUrl,
      /^ {2}WS_URL_1: URL 1 \(127\.0\.0\.1:\d+\) is a node of chain 5\. Set one of chain 1\./,
    ],
  ]))

test('indexer: a user without rights in the database', () =>
  expectEnd('processes/indexer.ts', [
    [
      'DATABASE_URL',
      databaseUrl((url) => {
        url.username = STRANGER
        url.password = 'stranger'
      }),
      /^ {2}DATABASE_URL: user "causeway_stranger" lacks a right \(permission denied.*\)\. Grant/,
    ],
    ['ADDRESS_BOOK', join(folder, 'book.json')],
    ['INDEX_CHAINS', '1'],
    ['RPC_URL_1', 'http://127.0.0.1:1'],
  ]))

test('start: ports, groups, the data directory', () =>
  expectLines(loadStartConfiguration, [
    [
      'DATA_DIRECTORY',
      join(folder, 'key', 'below'),
      /^ {2}DATA_DIRECTORY: cannot be written \(ENOTDIR\).*Name a folder/,
    ],
    ['API_PORT', String(taken), /^ {2}API_PORT: port \d+ is taken/],
    ['METRICS_PORT', String(free)],
    [
      'POSTGRES_PORT',
      String(free),
      /^ {2}POSTGRES_PORT: port \d+ is that of METRICS_PORT too\. Set another one/,
    ],
    ['ANVIL_BASE_PORT', String(row)],
    [
      'ATTESTATION_PORT',
      '6000',
      /^ {2}ATTESTATION_PORT: port 6000 is refused by browsers and by Node/,
    ],
    [
      'INDEX_GROUPS',
      '1,4663;7',
      /^ {2}INDEX_GROUPS: the address book has no chain 7\. Name some of/,
    ],
    [
      'QUOTE_SIGNER_PRIVATE_KEY',
      `0x${SECRET}`,
      /^ {2}QUOTE_SIGNER_PRIVATE_KEY: is set, and so is QUOTE_SIGNER_PRIVATE_KEY_FILE\. Set only one/,
    ],
    ['QUOTE_SIGNER_PRIVATE_KEY_FILE', join(folder, 'key')],
    ['CORS_ORIGINS', 'https://app.example/', /^ {2}CORS_ORIGINS: expected \* or origins, as in/],
  ]))

test('admin: a wrong password, and a variable of two', async () => {
  const DATABASE_URL = databaseUrl((url) => {
    url.password = 'wrong-password'
  })
  const list = async (variables: Record<string, string>) =>
    (await endedCommand(runAdmin, ['keys', 'list'], { DATABASE_URL, ...variables })).stderr
  expectProblems(await list({ APP_SECRET: SECRET }), [
    ['DATABASE_URL', '', /^ {2}DATABASE_URL: Postgres refuses the password/],
  ])
  expectProblems(await list({ APP_SECRETS: SECRET, SECRETS_KEY: 'short' }), [
    ['APP_SECRET', '', /^ {2}APP_SECRET: is not set, but APP_SECRETS is/],
    ['SECRETS_KEY', '', /^ {2}SECRETS_KEY: expected 32 bytes/],
  ])
})

test('the process: no stack, exit code 1', async () => {
  const missing = ['DATABASE_URL', 'ADDRESS_BOOK', 'APP_SECRET', 'SECRETS_KEY']
  await expectEnd(
    'processes/api.ts',
    missing.map((variable) => [variable, '', new RegExp(`^ {2}${variable}: is not set`)]),
  )
})

test('an older Node: one line, before any TypeScript is read', async () => {
  const older = join(folder, 'older.cjs')
  await writeFile(
    older,
    `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`,
  )
  const child = spawn(process.execPath, ['-r', older, '-r', './checkNode.cjs', 'processes/api.ts'])
  let output = ''
  child.stderr.on('data', (data) => {
    output += String(data)
  })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1)
  expect(output).toMatch(/^Node \d+ or newer is needed, this one is 20\.20\.2\. Run it with .*\n$/)
})
