import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import {
  createTestClient,
  encodeFunctionData,
  http,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { compileContracts } from '../contracts/compileContracts.ts'
import { startAnvil } from '../devnet/anvil.ts'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import { startPonder } from '../processes/indexer/ponderProcess.ts'
import { startRelay } from '../processes/indexer/relay.ts'
import { createLogger } from '../processes/logger.ts'
import { freePorts } from '../test/support/freePorts.ts'
import { seededRandom } from '../test/support/seededRandom.ts'
import { type Saying, siteInBook, vaultSite, vaultStory } from '../test/support/vaultStory.ts'
import { createBackfillLogger } from './backfill/backfillLogger.ts'
import { measureSnapshot } from './backfill/measureSnapshot.ts'
import { PONDERS, type PonderKind, writeMinimalApp } from './backfill/minimalApp.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { median } from './figure.ts'

/**
 * Measures how fast a vault's past is indexed: events per second, from a node and from Ponder's cache,
 * beside the least work that Ponder can do with the same logs (one table, one row per log), with our patch and as it is
 * published; and what a snapshot of it takes. Starts everything itself: `node bench/backfill.ts [events] [rounds]`.
 */
const EVENTS = Number(process.argv[2] ?? 200_000)
const ROUNDS = Number(process.argv[3] ?? 3)
const CHAIN_ID = 1
const LOGS_PER_BLOCK = 100
const BLOCK_SECONDS = 600
/** Blocks above the last log, so that Ponder takes all logs for finalized. */
const MARGIN = 70
/** Of what the app with one table does from the cache. */
const LEAST_SHARES = { patched: 0.5, published: 0.8 }
const SITE = vaultSite('ab')
const USERS = 5_000
const PROJECT = join(import.meta.dirname, '..')
const print = (line: string) => process.stdout.write(`${line}\n`)

type App = { name: 'ours' | PonderKind; root: string; databaseUrl: string }

const [port = 0] = await freePorts(1)
const node = await startAnvil({ chainId: CHAIN_ID, port })
const server = await startBenchPostgres()
const folder = await mkdtemp(join(tmpdir(), 'causeway-backfill-'))
const minimal = {
  patched: await writeMinimalApp(CHAIN_ID, SITE, 'patched'),
  published: await writeMinimalApp(CHAIN_ID, SITE, 'published'),
}
const relay = await startRelay(
  [
    {
      id: CHAIN_ID,
      finalityDepth: 30,
      contracts: new Set(),
      rpcUrls: [node.rpcUrl],
      wsUrls: [],
      pollIntervalMs: 1_000,
      patienceMs: 90_000,
    },
  ],
  createLogger('relay', 'error'),
)
try {
  const blocks = await emitHistory()
  print(`${EVENTS} events in ${blocks} blocks`)
  const addressBook = join(folder, 'address-book.json')
  await writeFile(addressBook, JSON.stringify(book()))
  const noRates = () => ({ cold: [], cached: [] })
  const rates: Rates = { ours: noRates(), patched: noRates(), published: noRates() }
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const app of await createApps(round))
      for (const from of ['cold', 'cached'] as const) {
        const rate = EVENTS / (await backfill(app, from, addressBook))
        rates[app.name][from].push(rate)
        print(`round ${round}: ${app.name} ${from}: ${Math.round(rate)} events/s`)
      }
  for (const ponder of PONDERS)
    for (const from of ['cold', 'cached'] as const) {
      const [own, least] = [median(rates.ours[from]), median(rates[ponder][from])]
      const share = own / least
      print(
        `${from}: ${Math.round(own)} of ${Math.round(least)} events/s with Ponder ${ponder}: ${share.toFixed(2)}`,
      )
      if (from === 'cached' && share < LEAST_SHARES[ponder]) process.exitCode = 1
    }
  for (const name of ['ours', ...PONDERS]) print(`${name}: ${await writtenPerEvent(name)}`)
  const [restored] = await createApps(ROUNDS + 1)
  if (!restored) throw new Error('no database')
  const ours = new URL(server.url)
  ours.pathname = '/ours_1'
  const places = { from: ours.href, to: restored.databaseUrl, folder, rpcUrl: node.rpcUrl }
  print(await measureSnapshot({ ...places, chainId: CHAIN_ID }))
} finally {
  await relay.stop()
  for (const ponder of PONDERS) await minimal[ponder].remove()
  await rm(folder, { recursive: true })
  await server.stop()
  await node.stop()
}

type Rates = Record<App['name'], Record<'cold' | 'cached', number[]>>

/** Makes the vault's contracts emit their logs. Resolves to the number of blocks. */
async function emitHistory(): Promise<number> {
  const { LogEmitter } = await compileContracts(join(import.meta.dirname, 'backfill'))
  if (!LogEmitter) throw new Error('LogEmitter.sol was not compiled')
  const account = `0x${'12'.repeat(20)}` as const
  const client = createTestClient({ mode: 'anvil', transport: http(node.rpcUrl) })
    .extend(walletActions)
    .extend(publicActions)
  for (const address of Object.values(SITE.places))
    await client.setCode({ address, bytecode: LogEmitter.deployedBytecode })
  await client.setBalance({ address: account, value: parseEther('1000000') })
  await client.impersonateAccount({ address: account })
  let emitted = 0
  for (const deeds of blocksOf(EVENTS)) {
    await client.increaseTime({ seconds: BLOCK_SECONDS })
    await client.sendTransaction({
      account,
      chain: null,
      to: SITE.places.vault,
      gas: 25_000_000n,
      data: encodeFunctionData({ ...LogEmitter, functionName: 'emitLogs', args: [deeds] }),
    })
    emitted += deeds.length
  }
  const count = await countLogs()
  if (emitted !== EVENTS || count !== EVENTS)
    throw new Error(`${emitted} logs emitted, ${count} on the chain`)
  const blocks = Number(await client.getBlockNumber())
  await client.mine({ blocks: MARGIN })
  return blocks

  async function countLogs() {
    const head = await client.getBlockNumber()
    let found = 0
    for (let from = 0n; from <= head; from += 100n)
      found += (await client.getLogs({ fromBlock: from, toBlock: from + 99n })).length
    return found
  }
}

function* blocksOf(events: number): Generator<Saying[]> {
  let block: Saying[] = []
  let left = events
  for (const deed of vaultStory(seededRandom(1), SITE, USERS)) {
    const said = deed.slice(0, left)
    block.push(...said)
    left -= said.length
    if (block.length >= LOGS_PER_BLOCK || left === 0) {
      yield block
      block = []
    }
    if (left === 0) return
  }
}

/** Each round and app has its own database, which contains Ponder's cache. */
async function createApps(round: number): Promise<App[]> {
  const admin = postgres(server.url, { max: 1 })
  const apps = await Promise.all(
    [
      { name: 'ours' as const, root: PROJECT },
      ...PONDERS.map((name) => ({ name, root: minimal[name].root })),
    ].map(async (app) => {
      const database = `${app.name}_${round}`
      await admin.unsafe(`create database ${database}`)
      const url = new URL(server.url)
      url.pathname = `/${database}`
      return { ...app, databaseUrl: url.href }
    }),
  )
  await admin.end()
  // The later apps can find the machine warmer.
  return round % 2 === 0 ? apps.reverse() : apps
}

/** Seconds from the first request, or the first read of the cache, to the last row. */
async function backfill(app: App, from: string, addressBook: string): Promise<number> {
  const { logger, done } = createBackfillLogger()
  const ponder = startPonder({
    root: app.root,
    databaseUrl: app.databaseUrl,
    addressBook,
    logger,
    postgresSchema: from,
    chainIds: [CHAIN_ID],
    relayUrl: relay.url,
    onUnrecoverableReorg() {},
    onIndexed() {},
    onRefused() {},
  })
  const ended = ponder.ended.then((words) => {
    throw new Error(`${app.name}: ${words}`)
  })
  const { milliseconds } = await Promise.race([done, ended])
  ponder.kill()
  await ponder.ended
  // Killed here, so its end is no failure.
  await ended.catch(() => {})
  return milliseconds / 1_000
}

/** The rows and bytes that an app wrote in its first backfill from the cache. */
async function writtenPerEvent(name: string): Promise<string> {
  const url = new URL(server.url)
  url.pathname = `/${name}_1`
  const sql = postgres(url.href, { max: 1 })
  const [sum] = await sql<{ made: number; changed: number; bytes: number }[]>`
    select sum(n_tup_ins)::float8 as made, sum(n_tup_upd)::float8 as changed,
      sum(pg_total_relation_size(relid))::float8 as bytes
    from pg_stat_user_tables where schemaname = 'cached'`
  await sql.end()
  if (!sum) throw new Error('no tables')
  const [made, changed] = [sum.made / EVENTS, sum.changed / EVENTS].map((rows) => rows.toFixed(2))
  return `${made} rows made and ${changed} changed per event, ${Math.round(sum.bytes / EVENTS)} bytes`
}

function book(): AddressBookFile {
  return {
    // In other environments Ponder's cache is off.
    environment: 'STAGING',
    tokens: [],
    transitRoutes: [],
    chains: [
      {
        id: CHAIN_ID,
        name: 'One',
        finalityDepth: 65,
        blockTimeSeconds: 1,
        multicall3: '0x0000000000000000000000000000000000000001',
      },
    ],
    vaults: [{ name: 'One', yieldType: 'CORE', deployments: [siteInBook(SITE, CHAIN_ID)] }],
  }
}
