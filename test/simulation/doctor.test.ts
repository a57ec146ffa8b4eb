import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import type { Line } from '../../cli/doctor/line.ts'
import { runDoctor } from '../../cli/doctor/runDoctor.ts'
import { connect } from '../../db/sql.ts'
import { DEVNET_KEEPER_KEY, DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import { devnetClient } from '../../devnet/world.ts'
import { sealSecret } from '../../domain/access/sealedSecret.ts'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { endedCommand } from '../support/endedCommand.ts'
import { at } from '../support/findings.ts'
import { freePorts } from '../support/freePorts.ts'
import { startLimitedNode } from '../support/limitedNode.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'

const SECRET = 'ab'.repeat(32)
const OTHER_SECRET = 'cd'.repeat(32)
const OTHER_KEY = `0x${'11'.repeat(32)}`
const HOUR_MS = 3_600_000

let started: TestWorld
let database: TestDatabase
let sql: Sql<{ bigint: bigint }>
let folder: string
let free: number
/** A configuration without an error. */
let sound: NodeJS.ProcessEnv
let usual: Set<string> | undefined

beforeAll(async () => {
  started = await startTestWorld([1, 4663], { withVaults: true })
  database = await createTestDatabase()
  sql = connect(database.url, { applicationName: 'doctor-test', max: 1 })
  folder = await mkdtemp(join(tmpdir(), 'causeway-doctor-'))
  ;[free = 0] = await freePorts(1)
  const { rpcUrls } = started.world
  sound = {
    DATABASE_URL: database.url,
    ADDRESS_BOOK: await writeBook('sound', (book) => book),
    APP_SECRET: SECRET,
    SECRETS_KEY: OTHER_SECRET,
    QUOTE_SIGNER_PRIVATE_KEY: DEVNET_QUOTE_SIGNER_KEY,
    SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
    NODE_ENV: 'production',
    ...Object.fromEntries(
      [1, 4663].flatMap((id) => [
        [`RPC_URL_${id}`, rpcUrls[id]],
        [`WS_URL_${id}`, started.wsUrls[id]],
      ]),
    ),
  }
}, 120_000)
afterAll(async () => {
  await sql?.end()
  await started?.stop()
  await database?.drop()
  if (folder) await rm(folder, { recursive: true })
})
// The doctor judges the age of heads, and these chains mine only what they are sent.
beforeEach(async () => {
  await Promise.all([1, 4663].map((id) => nodeOf(id).mine({ blocks: 1 })))
})

function nodeOf(id: number) {
  return devnetClient(id, started.world.rpcUrls[id] ?? '')
}

async function writeBook(name: string, change: (book: AddressBookFile) => object): Promise<string> {
  const path = join(folder, `${name}.json`)
  await writeFile(path, JSON.stringify(change(structuredClone(started.addressBook))))
  return path
}

/** The lines that a configuration causes beside those of the sound one. */
async function newLines(
  changed: NodeJS.ProcessEnv,
  measures?: Parameters<typeof diagnose>[1],
): Promise<Line[]> {
  usual ??= new Set((await diagnose(sound)).map(textOf))
  const found = await diagnose({ ...sound, ...changed }, measures)
  return found.filter((line) => line.level !== 'ok' && !usual?.has(textOf(line)))
}

function textOf({ level, check, message }: Line): string {
  return `${level} ${check}: ${message}`
}

/** Plants a mistake; returns the changed variables. */
type Plant = () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>

async function expectFound(changed: NodeJS.ProcessEnv, wanted: RegExp[]) {
  const found = await newLines(changed)
  for (const one of wanted)
    expect(found.map(textOf)).toEqual(expect.arrayContaining([expect.stringMatching(one)]))
  for (const { advice } of found) expect(advice).toMatch(/\S/)
}

test('default: a sound configuration has no error, and ends with 0', async () => {
  const { code, stdout } = await endedCommand(runDoctor, [], sound)
  expect(stdout).not.toMatch(/^error/m)
  expect(stdout).toMatch(/^ok {6} +quote signer: 0x\w+, as all stations name it$/m)
  expect(stdout).toMatch(/^0 errors, \d+ warnings, \d+ ok$/m)
  expect(code).toBe(0)
})

test('error: as JSON, with the mend; the code is 1, and no secret is shown', async () => {
  const { code, stdout } = await endedCommand(runDoctor, ['--json'], {
    ...sound,
    QUOTE_SIGNER_PRIVATE_KEY: OTHER_KEY,
  })
  expect(code).toBe(1)
  const found: Line[] = JSON.parse(stdout)
  expect(found).toContainEqual({
    level: 'error',
    check: 'quote signer',
    message: expect.stringContaining('names 0x'),
    advice: expect.stringContaining('Configure the key of the station'),
  })
  for (const secret of [SECRET, OTHER_SECRET, OTHER_KEY.slice(2), DEVNET_KEEPER_KEY.slice(2)])
    expect(stdout).not.toContain(secret)
})

test('behavior: it writes nothing, neither into an empty database', async () => {
  const empty = new URL(database.url)
  empty.pathname = '/postgres'
  const found = await diagnose({ ...sound, DATABASE_URL: empty.href })
  expect(found.map(textOf)).toContain('warning database: is empty: no process has started yet')
  const other = connect(empty.href, { applicationName: 'doctor-test', max: 1 })
  const [row] = await other<{ app: string | null }[]>`select to_regnamespace('app')::text as app`
  await other.end()
  expect(row?.app).toBeNull()
})

describe('variables', () => {
  test.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['no APP_SECRET', { APP_SECRET: '' }, /^error variables: APP_SECRET: is not set/],
    [
      'a short SECRETS_KEY',
      { SECRETS_KEY: 'ab' },
      /^error variables: SECRETS_KEY: expected 32 bytes/,
    ],
    [
      'a misspelled name',
      { QUOTE_SIGNER_PRIVATE_KEY: '', QUOTE_SIGNER_PRIVATE_KY: OTHER_KEY },
      /^error variables: QUOTE_SIGNER_PRIVATE_KEY: is not set, but QUOTE_SIGNER_PRIVATE_KY is/,
    ],
    [
      'half an OIDC provider',
      { CONSOLE_ORIGIN: 'https://api.example', CONSOLE_OIDC_CLIENT_ID: 'one' },
      /^error variables: CONSOLE_OIDC_ISSUER: is not set/,
    ],
    [
      'a key without its provider',
      { ATTESTATION_API_KEY: 'key' },
      /^error variables: ATTESTATION_URL: is not set/,
    ],
    ['one secret twice', { SECRETS_KEY: SECRET }, /^warning secrets: APP_SECRET and SECRETS_KEY/],
    ['private webhooks', { WEBHOOK_ALLOW_PRIVATE: 'true' }, /^warning variables: WEBHOOK_ALLOW/],
    ['no rate limits', { RATE_LIMITS: 'off' }, /^warning variables: RATE_LIMITS is off/],
    [
      'a console without TLS',
      { CONSOLE_ORIGIN: 'http://api.example' },
      /^warning variables: CONSOLE_ORIGIN is http/,
    ],
    ['no proxy', { API_HOST: '0.0.0.0' }, /^warning variables: TRUST_PROXY is not set/],
    [
      'development',
      { API_HOST: '0.0.0.0', NODE_ENV: '' },
      /^warning variables: NODE_ENV is not production/,
    ],
  ])('%s', async (_, changed, wanted) => {
    await expectFound(changed, [wanted])
  })
})

describe('database and disk', () => {
  test.each<[string, (url: URL) => void, RegExp]>([
    [
      'a wrong password',
      (url) => (url.password = 'wrong'),
      /^error variables: DATABASE_URL: Postgres refuses the password/,
    ],
    [
      'no such database',
      (url) => (url.pathname = '/nowhere'),
      /^error variables: DATABASE_URL: there is no database "nowhere"/,
    ],
    [
      'no Postgres',
      (url) => (url.port = String(free)),
      /^error variables: DATABASE_URL: no Postgres listens/,
    ],
  ])('%s', async (_, change, wanted) => {
    const url = new URL(database.url)
    change(url)
    await expectFound({ DATABASE_URL: url.href }, [wanted, /^error database: not checked/])
  })

  test('a newer version has migrated it', async () => {
    await sql`insert into app.migration (name, run_on) values ('9999_later', now())`
    const found = await diagnose(sound)
    await sql`delete from app.migration where name = '9999_later'`
    expect(found.map(textOf)).toContain(
      'error database: has migrations of a newer version: 9999_later',
    )
  })

  test('another clock, of the database and of the chains', async () => {
    const found = await newLines({}, { now: () => Date.now() - HOUR_MS })
    expect(found.map(textOf)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^error database: its clock differs by 3\d\d\d s/),
        expect.stringMatching(/^error node of chain 1, .* is 3\d\d\d s ahead of the clock/),
      ]),
    )
  })

  test('little disk', async () => {
    const found = await newLines({}, { minFreeBytes: 1024 ** 5 })
    expect(found.map(textOf)).toContainEqual(
      expect.stringMatching(/^warning disk of this machine: .* GiB free/),
    )
  })

  test('another SECRETS_KEY than that of the stored secrets', async () => {
    const endpointId = await insertEndpoint('https://example.com/')
    await sql`
      insert into app.webhook_secret (endpoint_id, sealed)
      values (${endpointId}, ${sealSecret('whsec', endpointId, Buffer.from(OTHER_SECRET, 'hex'))})`
    const found = await newLines({ SECRETS_KEY: 'ef'.repeat(32) })
    expect(found.map(textOf)).toContain(
      'error secrets: SECRETS_KEY does not open 1 of the 1 newest signing secrets of webhooks',
    )
  })

  test('a build that does not start', async () => {
    await sql`
      insert into app.index_build (postgres_schema, chain_id, build_hash, state, error)
      values ('index_1_x', 1, 'x', 'failed', 'no such block')`
    const found = await diagnose(sound)
    await sql`delete from app.index_build`
    expect(found.map(textOf)).toContain(
      'error index of chain 1: the build index_1_x does not start: no such block',
    )
  })
})

async function insertEndpoint(url: string): Promise<string> {
  const [organization] = await sql<{ id: string }[]>`
    insert into app.organization (name) values (${url}) returning id`
  const [endpoint] = await sql<{ id: string }[]>`
    insert into app.webhook_endpoint (organization_id, url, event_types)
    values (${organization?.id ?? ''}, ${url}, '{*}') returning id`
  return endpoint?.id ?? ''
}

describe('nodes', () => {
  test.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
    ['no URL', () => ({ RPC_URL_4663: '' }), /^error variables: RPC_URL_4663: is not set/],
    [
      'another chain',
      () => ({ RPC_URL_4663: sound.RPC_URL_1 }),
      /^error node of chain 4663, .*: it is a node of chain 1/,
    ],
    [
      'nothing listens',
      () => ({ RPC_URL_4663: `http://127.0.0.1:${free}` }),
      /^error node of chain 4663, .*: it does not answer/,
    ],
    [
      'a websocket of another chain',
      () => ({ WS_URL_4663: sound.WS_URL_1 }),
      /^error websocket of chain 4663, .*: it is of chain 1/,
    ],
    [
      'a websocket that does not answer',
      () => ({ WS_URL_4663: `ws://127.0.0.1:${free}` }),
      /^error websocket of chain 4663, .*: it does not answer/,
    ],
    [
      'no websocket',
      () => ({ WS_URL_4663: '' }),
      /^warning nodes of chain 4663: there is no websocket/,
    ],
  ])('%s', async (_, changed, wanted) => {
    await expectFound(changed(), [wanted])
  })

  test('no history', async () => {
    const node = await startLimitedNode({
      rpcUrl: sound.RPC_URL_1 ?? '',
      logBlocks: 0,
      firstState: 0,
    })
    await expectFound({ RPC_URL_1: node.rpcUrl }, [
      /^error node of chain 1, .*: it lacks the logs of block \d+, the first of the contracts: query exceeds/,
    ])
    await node.stop()
  })

  test('a rate limit', async () => {
    const node = await startFewAtOnce(sound.RPC_URL_1 ?? '', 5)
    await expectFound({ RPC_URL_1: node.url }, [
      /^warning node of chain 1, .*: it refuses \d+ of 20 calls at once/,
    ])
    await node.stop()
  })

  test('an old head', async () => {
    const path = await writeBook('head', (book) => ({
      ...book,
      chains: book.chains.map((chain) => ({ ...chain, maxHeadAgeSeconds: 60 })),
    }))
    const found = await newLines({ ADDRESS_BOOK: path }, { now: () => Date.now() + 90_000 })
    expect(found.map(textOf)).toContainEqual(
      expect.stringMatching(/^error node of chain 1, .*: its newest block \d+ is \d+ s old/),
    )
  })
})

/** A proxy that answers 429 to further calls while so many are open. */
async function startFewAtOnce(rpcUrl: string, most: number) {
  let open = 0
  const server = createServer(async (request, response) => {
    open += 1
    const body = Buffer.concat(await request.toArray())
    if (open > most) response.writeHead(429).end()
    else {
      const headers = { 'content-type': 'application/json' }
      const answered = await fetch(rpcUrl, { method: 'POST', headers, body })
      response.writeHead(200, headers).end(await answered.text())
    }
    open -= 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

describe('address book', () => {
  const NOWHERE = `0x${'12'.repeat(20)}`
  const plants: [string, (book: AddressBookFile) => object, RegExp][] = [
    ['another format', () => ({ chains: 1 }), /^error variables: ADDRESS_BOOK: .*chains/],
    [
      'a wrong symbol',
      (book) => {
        at(book.tokens, 0).symbol = 'USD'
        return book
      },
      /^error address book: tokens\.0\.symbol: the book has USD/,
    ],
    [
      'wrong decimals',
      (book) => {
        at(book.tokens, 0).decimals = 9
        return book
      },
      /^error address book: tokens\.0\.decimals: the book has 9/,
    ],
    [
      'a station without code',
      (book) => {
        const { transitStation } = at(book.chains, 0)
        if (transitStation) transitStation.address = NOWHERE
        return book
      },
      /^error address book: chains\.0\.transitStation\.address: no code/,
    ],
    [
      'a vault without code',
      (book) => {
        at(at(book.vaults, 0).deployments, 0).vault.address = NOWHERE
        return book
      },
      /^error address book: vaults\.0\.deployments\.0\..*no code/,
    ],
    [
      'a first block in the future',
      (book) => {
        at(at(book.vaults, 0).deployments, 0).vault.startBlock = 99_999_999
        return book
      },
      /^error address book: vaults\.0\.deployments\.0\.vault\.startBlock: the book has 99999999/,
    ],
    [
      'a stale feed',
      (book) => {
        for (const { usdFeed } of book.tokens) if (usdFeed) usdFeed.maxAgeSeconds = 1
        return book
      },
      /^error address book: tokens\.\d+\.usdFeed\.maxAgeSeconds: the book has 1/,
    ],
  ]
  test.each(plants)('%s', async (name, change, wanted) => {
    // Longer than the stale feed may be old.
    await sleep(name === 'a stale feed' ? 2_100 : 0)
    await expectFound({ ADDRESS_BOOK: await writeBook(name.replaceAll(' ', '-'), change) }, [
      wanted,
    ])
  })

  test('no file', async () => {
    await expectFound({ ADDRESS_BOOK: join(folder, 'none.json') }, [
      /^error variables: ADDRESS_BOOK: .*cannot be read/,
      /^error address book: not checked/,
    ])
  })
})

describe('signer and keeper', () => {
  test.each<[string, NodeJS.ProcessEnv, RegExp[]]>([
    ['no signer', { QUOTE_SIGNER_PRIVATE_KEY: '' }, [/^warning quote signer: there is none/]],
    [
      'another signer',
      { QUOTE_SIGNER_PRIVATE_KEY: OTHER_KEY },
      [/^error quote signer: the station of chain 1 names/, /of chain 4663 names/],
    ],
    ['no keeper', { SMART_DEPOSIT_KEEPER_PRIVATE_KEY: '' }, [/^warning keeper: there is none/]],
    [
      'an account without role and coins',
      { SMART_DEPOSIT_KEEPER_PRIVATE_KEY: OTHER_KEY },
      [
        /^error keeper on chain 1: 0x\w+ is no keeper/,
        /^error keeper on chain 1: 0x\w+ has 0 native/,
      ],
    ],
    [
      "the quote signer's key",
      { SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_QUOTE_SIGNER_KEY },
      [/^error keeper: its key is that of the quote signer/],
    ],
  ])('%s', async (_, changed, wanted) => {
    await expectFound(changed, wanted)
  })
})

describe('egress', () => {
  const plants: [string, Plant, RegExp][] = [
    [
      'an endpoint that cannot be reached',
      async () => {
        await insertEndpoint(`http://127.0.0.1:${free}/hooks`)
        return { WEBHOOK_ALLOW_PRIVATE: 'true' }
      },
      /^warning webhooks: 127\.0\.0\.1:\d+ cannot be reached/,
    ],
    [
      'no provider of attestations',
      () => ({ ATTESTATION_URL: `http://127.0.0.1:${free}` }),
      /^warning attestations: 127\.0\.0\.1:\d+ cannot be reached/,
    ],
    [
      'no OIDC provider',
      () => ({
        CONSOLE_ORIGIN: 'https://api.example',
        CONSOLE_OIDC_ISSUER: `http://127.0.0.1:${free}`,
        CONSOLE_OIDC_CLIENT_ID: 'one',
        CONSOLE_OIDC_CLIENT_SECRET: 'two',
      }),
      /^error OIDC provider: 127\.0\.0\.1:\d+ does not describe itself: no answer/,
    ],
  ]
  test.each(plants)('%s', async (_, plant, wanted) => {
    const changed = await plant()
    const found = await diagnose({ ...sound, ...changed })
    expect(found.map(textOf)).toContainEqual(expect.stringMatching(wanted))
  })
})
