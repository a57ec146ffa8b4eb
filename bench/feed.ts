import { setTimeout as sleep } from 'node:timers/promises'
import { padHex, toHex } from 'viem'
import { startIndexListener } from '../db/indexListener.ts'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { type AddressBook, parseAddressBook } from '../domain/addressBook/addressBook.ts'
import { createReadStore } from '../domain/cache/keptReads.ts'
import { createChainClients } from '../domain/chain/chainClients.ts'
import { createRouteLatencies } from '../domain/transit/routes/routeLatencies.ts'
import { createLogger } from '../processes/logger.ts'
import { createTestIndex } from '../test/support/createTestIndex.ts'
import { insertDestinations, insertSources } from '../test/support/insertOrder.ts'
import { passOverChains } from '../test/support/passOverChains.ts'
import { percentile } from '../test/support/percentile.ts'
import { BUILD, HEADS, serveTestIndex } from '../test/support/testIndex.ts'
import { createIndexFeed } from '../worker/feed/indexFeed.ts'
import { type FeedContext, recordChainEvents } from '../worker/feed/recordChainEvents.ts'
import { benchAddressBook, benchBookWith, idleChain } from './benchChains.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Measures the feed of events: the time of a pass over one chain for one new order, while others wait above the cursors of all
 * chains, and the statements of an idle worker: `node bench/feed.ts [chains] [orders per chain]`. There are no nodes.
 */
const [CHAINS = 12, ORDERS = 500] = process.argv.slice(2).map(Number)
const PASSES = 20
const REST_SECONDS = 20
const MOVING_SECONDS = 40
/** One order of so many is watched. */
const WATCHED = 10
const USER = `0x${'c3'.repeat(20)}` as const
const FURTHER_HEAD = 1_000
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startBenchPostgres()
const sql = connect(postgres.url, { applicationName: 'bench' })
const ofFeed = connect(postgres.url, { applicationName: 'bench-feed' })
try {
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const further = Array.from({ length: CHAINS - 2 }, (_, number) => idleChain(number))
  const addressBook = parseAddressBook(benchBookWith(further, benchAddressBook), 'bench')
  const heads: Record<number, number> = Object.fromEntries(
    further.map(({ id }) => [id, FURTHER_HEAD]),
  )
  await serveTestIndex(sql, addressBook.chains, heads)
  await watch()
  const context = {
    sql: ofFeed,
    chains: createChainClients([], { chains: [] }),
    addressBook,
    routeLatencies: createRouteLatencies(ofFeed, createReadStore('bench', { max: 10 })),
  }
  await printPasses(context, { ...heads, ...HEADS })
  await printStatements(context)
} finally {
  await Promise.all([sql.end(), ofFeed.end()])
  await postgres.stop()
}

async function watch() {
  await sql`
    with organization as (insert into app.organization (name) values ('Watcher') returning id)
    insert into app.webhook_endpoint (organization_id, url, event_types, filter)
    select id, 'https://example.com', '{transit.*}', ${`userAddress = ${USER}`} from organization`
}

async function printPasses(context: FeedContext, heads: Record<number, number>) {
  const chainIds = context.addressBook.chains.map(({ id }) => id)
  const [chainId = 0] = chainIds
  await passOverChains(context, chainIds)
  for (const [number] of chainIds.entries())
    await place(context.addressBook, { heads, number, from: 0, count: ORDERS })
  await passOverChains(context, chainIds)
  await sql`analyze`
  const times: number[] = []
  for (let pass = 0; pass < PASSES; pass += 1) {
    await place(context.addressBook, { heads, number: 0, from: ORDERS + pass, count: 1 })
    const since = performance.now()
    await recordChainEvents(context, chainId)
    times.push(performance.now() - since)
  }
  print(
    `${CHAINS} chains, ${ORDERS} orders of each: a pass takes p50 ${percentile(times, 0.5).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms`,
  )
}

type Placed = { heads: Record<number, number>; number: number; from: number; count: number }

/** Orders from the chain of this number to the next one, above the heads. */
async function place({ chains }: AddressBook, { heads, number, from, count }: Placed) {
  const [source, destination] = [chains[number], chains[(number + 1) % chains.length]]
  if (!source || !destination) throw new Error(`there is no chain number ${number}`)
  const rows = Array.from({ length: count }, (_, index) => from + index)
  const logOf = (chainId: number, index: number) => {
    const id = padHex(toHex(number * 1e6 + index + 1), { size: 32 })
    const block_number = (heads[chainId] ?? 0) + 1 + (index % 50)
    return { chain_id: chainId, block_number, block_hash: id, transaction_hash: id, order_id: id }
  }
  await insertSources(
    sql,
    rows.map((index) => ({
      ...logOf(source.id, index),
      destination_eid: destination.eid ?? 0,
      user_address: index % WATCHED === 0 ? USER : `0x${'d4'.repeat(20)}`,
    })),
  )
  await insertDestinations(
    sql,
    rows.map((index) => {
      const log = logOf(destination.id, index)
      return { ...log, log_index: 1, last_block_number: log.block_number }
    }),
  )
}

async function printStatements(context: FeedContext) {
  const listener = startIndexListener(postgres.url, () => {})
  const logger = createLogger('bench', 'warn')
  const feed = createIndexFeed({ ...context, databaseUrl: postgres.url, listener, logger })
  const running = feed.start?.()
  let statements = 0
  ofFeed.options.debug = () => {
    statements += 1
  }
  const printRate = (what: string, seconds: number) => {
    print(`${what}: ${(statements / seconds).toFixed(1)} statements a second`)
    statements = 0
  }
  // Each chain has a last pass ten seconds after its last change, found by a look within five.
  await sleep(30_000)
  statements = 0
  await sleep(REST_SECONDS * 1_000)
  printRate('no chain has blocks', REST_SECONDS)
  for (let second = 0; second < MOVING_SECONDS; second += 1) {
    for (const { id } of context.addressBook.chains) {
      await moveHead(id)
      await sleep(1_000 / CHAINS)
    }
  }
  printRate('each chain has a block a second, without a log', MOVING_SECONDS)
  await running?.stop()
  await listener.stop()
}

/** An empty block, as the indexer writes it. */
async function moveHead(chainId: number) {
  await sql.begin(async (transaction) => {
    await transaction.unsafe(
      `update ${BUILD}.chain_head set block_number = block_number + 1, block_hash = '0x' || md5(random()::text)
       where chain_id = $1`,
      [chainId],
    )
    await transaction.unsafe(`notify ${BUILD}_live_query`)
  })
}
