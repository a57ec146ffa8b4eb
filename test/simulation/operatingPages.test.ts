import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVNET_KEEPER_KEY, DEVNET_QUOTE_SIGNER_KEY, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import {
  asProcessRole,
  asRole,
  createDatabaseStatements,
  createRoleStatements,
  runStatements,
} from '../support/databaseRole.ts'
import { getJson } from '../support/getJson.ts'
import { systemPostgres } from '../support/systemPostgres.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { isElsewhere } from './commandsElsewhere.ts'
import { type OperatorShell, openOperatorShell, type StartedCommand } from './operatorShell.ts'

const DATABASE = 'causeway'
const CHAIN_IDS = [1, 4663]
/** More blocks than the indexer takes for not finalized: a snapshot has only deeper ones. */
const DEEP = 70

const binaries = systemPostgres()

// Skipped without Debian's package `postgresql`: the Postgres of npm has no psql and pg_dump.
describe.skipIf(binaries === null)('the commands of the pages for operators', () => {
  const started = new AsyncDisposableStack()
  let local: TestWorld
  let superuserUrl: string
  let shell: OperatorShell

  const databaseUrl = () => new URL(DATABASE, asRole(superuserUrl)).href
  const createDatabase = () => runStatements(superuserUrl, createDatabaseStatements(DATABASE))

  beforeAll(async () => {
    local = await startTestWorld(CHAIN_IDS, { withVaults: true, blockTimeSeconds: 1 })
    started.defer(local.stop)
    await Promise.all(CHAIN_IDS.map((id) => worldClient(local.world, id).mine({ blocks: DEEP })))
    const postgres = await startTemporaryPostgres({ binaries: binaries ?? '' })
    started.defer(postgres.stop)
    superuserUrl = postgres.url
    const { hostname, port, username, password } = new URL(superuserUrl)
    shell = await openOperatorShell({
      // npm adds the project's own programs.
      PATH: `${binaries}:node_modules/.bin:${process.env.PATH}`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
    })
    started.defer(shell.close)
  })
  afterAll(() => started.disposeAsync())

  /** Writes the files that the page asks the operator to write by hand. */
  async function writeByHand() {
    const secrets = {
      'quote-signer': DEVNET_QUOTE_SIGNER_KEY,
      keeper: DEVNET_KEEPER_KEY,
      'database-url-owner': databaseUrl(),
      'database-url-indexer': asProcessRole(databaseUrl(), 'indexer'),
      'database-url-api': asProcessRole(databaseUrl(), 'api'),
      'database-url-worker': asProcessRole(databaseUrl(), 'worker'),
      ...Object.fromEntries(
        CHAIN_IDS.flatMap((id) => [
          [`rpc-url-${id}`, local.world.rpcUrls[id] ?? ''],
          [`ws-url-${id}`, local.wsUrls[id] ?? ''],
        ]),
      ),
    }
    for (const [name, secret] of Object.entries(secrets))
      await shell.write(`secrets/${name}`, `${secret}\n`)
  }

  function writeBook(name: string, finalityOfFirst: number) {
    const [first, ...others] = local.addressBook.chains
    const chains = [{ ...first, finalityDepth: finalityOfFirst }, ...others]
    // In DEVELOPMENT the indexer caches nothing.
    const book = { ...local.addressBook, environment: 'STAGING', chains }
    return shell.write(name, JSON.stringify(book))
  }

  type Health = {
    details: { indexer: { chains: Record<number, { isSynced?: boolean; build?: string }> } }
  }
  async function chainsNow() {
    // No answer before the api has started.
    const { body } = await getJson<Health>(`${shell.url}/health`).catch(() => ({ body: null }))
    return body?.details?.indexer.chains ?? {}
  }

  async function startService(): Promise<StartedCommand[]> {
    const processes = [
      await shell.start('env -i PATH="$PATH" $(cat indexer-1.env) node_modules'),
      await shell.start('env -i PATH="$PATH" $(cat indexer-4663.env) node_modules'),
      await shell.start('env -i PATH="$PATH" $(cat api.env) node_modules'),
      await shell.start('env -i PATH="$PATH" $(cat worker.env) node_modules'),
    ]
    await expect
      .poll(
        async () => {
          const chains = await chainsNow()
          return CHAIN_IDS.map((id) => chains[id]?.isSynced ?? processes.map(lastLine))
        },
        { interval: 200 },
      )
      .toEqual(CHAIN_IDS.map(() => true))
    return processes
  }

  let processes: StartedCommand[]
  let apiKey: string
  let orderId: string

  async function statusWithKey(path: string) {
    const response = await fetch(shell.url + path, { headers: { 'x-api-key': apiKey } })
    return response.status
  }

  test('default: from nothing to an installation that answers', async () => {
    await runStatements(superuserUrl, createRoleStatements())
    await createDatabase()
    await writeBook('production.json', 65)
    await shell.run('mkdir -p -m 700 secrets')
    await writeByHand()
    await shell.run('cat > indexer-1.env')
    await shell.run('export DATABASE_URL=')
    await shell.run('npm run address-book -- verify --file production.json')
    expect(await shell.run('npm run migrate')).toContain('up to date')
    const found = await shell.run('env -i PATH="$PATH" $(cat indexer-1.env indexer-4663.env')
    expect(found).toMatch(/^0 errors, /m)
    processes = await startService()
    const created = await shell.run("npm run admin -- organizations create 'Acme'")
    apiKey = /^(\S+)\nPermissions: /m.exec(created)?.[1] ?? ''
    const checked = await shell.run('curl -sf localhost:4000/ready', { API_KEY: apiKey })
    expect(checked).toMatch(/ served /)
    expect(checked).toContain('"vaults":')
    ;({ orderId } = await placeOrder(local.world, {
      user: userAt(0),
      sourceChainId: 1,
      destinationChainId: 4663,
      offerAsset: DEPLOYMENT.tokens.USDC,
      wantAsset: DEPLOYMENT.tokens.USDG,
      offerAmount: 10_000_000n,
    }))
    await expect.poll(() => statusWithKey(`/v1/transit/orders/${orderId}`)).toBe(200)
  })

  test('behavior: those of a person on call', async () => {
    expect(await shell.run('npm run admin -- transit pause')).toContain('USDT is not redeemable')
    const address = await shell.run('node_modules/.bin/node -p', {
      SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
      SMART_DEPOSIT_KEEPER_PRIVATE_KEY_FILE: 'secrets/keeper',
    })
    const [fromVariable, fromFile] = address.trim().split('\n')
    expect(fromVariable).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(fromFile).toBe(fromVariable)
    await shell.run(`psql "$DATABASE_URL" -c 'select distinct chain_id, keeper`)
    await shell.run('psql "$DATABASE_URL" -c "select chain_id, p.kind')
    await shell.run('psql "$DATABASE_URL" -c "select chain_id, d.address')
    expect(await shell.run('psql "$DATABASE_URL" -c "select relname')).toContain('(20 rows)')
  })

  test('behavior: those of another address book', async () => {
    const before = (await chainsNow())[1]?.build
    await writeBook('book-2.json', 66)
    await shell.run('npm run address-book -- verify --file book-2.json')
    const next = await shell.start('env -i PATH="$PATH" $(cat indexer-1.env) ADDRESS_BOOK=book-2')
    await expect
      .poll(async () => (await chainsNow())[1]?.build ?? lastLine(next), {
        interval: 200,
      })
      .not.toBe(before)
    await processes[0]?.stop()
    expect(await shell.run('npm run admin -- index list\ncurl')).toMatch(/ retired /)
    expect(await shell.run('npm run admin -- index rebuild 1')).toContain('A new build of chain 1')
    processes.push(next)
  })

  test('behavior: backup, loss, restore', async () => {
    await shell.run('pg_dump')
    await shell.run('npm run admin -- index snapshot 1')
    await Promise.all(processes.map(({ stop }) => stop()))
    await shell.run('psql -d postgres')
    await createDatabase()
    await shell.run('pg_restore')
    expect(await shell.run('npm run migrate')).toContain('up to date')
    expect(await shell.run('npm run admin -- index restore')).toContain('Restored chain 1')
    await shell.run('psql "$DATABASE_URL" -c "select count(graphile_worker')
    await startService()
    expect(await shell.run('npm run admin -- index list\n')).toContain(apiKey.split('_')[1])
    expect(await statusWithKey('/v2/earn/vaults')).toBe(200)
    expect(await statusWithKey(`/v1/transit/orders/${orderId}`)).toBe(200)
  })

  test('behavior: no command is left', () => {
    expect(shell.undone().filter((block) => !isElsewhere(block))).toEqual([])
  })
})

function lastLine({ output }: StartedCommand): string {
  return output().trim().split('\n').at(-1) ?? ''
}
