import type { Address } from 'viem'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { type World, worldClient } from '../devnet/world.ts'
import { type AddressBookDeployment, parseAddressBook } from '../domain/addressBook/addressBook.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { withManyVaults } from '../test/support/manyVaults.ts'
import { type BenchApi, startBenchApi } from './benchApi.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import { serveIdleChains } from './idleChains.ts'
import { moveHeads } from './movingHeads.ts'
import { seedBuilds } from './seedBuilds.ts'
import { vaultFacts } from './vaultFacts.ts'
import {
  LIFE_SECONDS,
  type SeededQueue,
  shareOrders,
  withdrawalInserts,
} from './withdrawalFacts.ts'

export type VaultIndex = {
  api: BenchApi
  databaseUrl: string
  port: number
  /** By chain id. */
  vaults: Map<number, Address[]>
  queues: SeededQueue[]
}

export type VaultIndexOptions = {
  /** On each of two chains; 100 by default. */
  names?: number
  /** Further variables of the api. */
  variables?: Record<string, string>
  hours: number
  accounts: number
  /** On all chains together; none by default. */
  transfers?: number
  /** In all queues together; none by default. */
  orders?: number
  /** With chains that have no vault; by default there are none of these. */
  chainCount?: number
}

const NAMES = 100
const TICK_MS = 5_000
const MODELS = [
  { name: 'Harbor Dollar', chainId: 1 },
  { name: 'Harbor Dollar', chainId: 8453 },
]

/**
 * Runs the real api over 200 deployments on two real nodes, with an index of `hours` hours of each, in its
 * own Postgres. Three years take two minutes and 1.2 GB. DATABASE_URL may name an empty database, which is seeded and kept,
 * or one that was seeded so.
 */
export async function withVaultIndex(
  {
    names = NAMES,
    variables = {},
    hours,
    accounts,
    transfers = 0,
    orders = 0,
    chainCount = MODELS.length,
  }: VaultIndexOptions,
  use: (index: VaultIndex) => Promise<void>,
) {
  await using started = new AsyncDisposableStack()
  const databaseUrl = process.env.DATABASE_URL ?? (await ownDatabase(started))
  const { world, stop } = await startTestWorld(
    MODELS.map(({ chainId }) => chainId),
    { withVaults: true },
  )
  started.defer(stop)
  // A node whose chain has no new blocks counts as behind.
  const ticking = setInterval(() => void tick(world), TICK_MS)
  started.defer(() => clearInterval(ticking))
  const addressBook = await withManyVaults(world, { models: MODELS, count: names })
  const deployments = parseAddressBook(addressBook, 'bench')
    .vaults.filter(({ name }) => name.startsWith('Copy'))
    .flatMap((vault) => vault.deployments)
  const vaults = Map.groupBy(deployments, ({ chainId }) => chainId)
  const listed = new Map(
    [...vaults].map(([chainId, entries]) => [chainId, entries.map(({ vault }) => vault.address)]),
  )
  await migrate(databaseUrl)
  const sql = connect(databaseUrl, { applicationName: 'bench-seed', max: 3 })
  const headTime = Math.floor(Date.now() / 1_000)
  const queues = shareOrders(deployments.map(queueOf), orders)
  const chains = [...listed].map(([chainId, addresses]) => {
    const history = { chainId, vaults: addresses, headTime, hours, accounts }
    const facts = vaultFacts({ ...history, transfers: transfers / listed.size })
    const own = queues.filter((queue) => queue.chainId === chainId)
    const ordered = orders > 0 ? withdrawalInserts(own, headTime - LIFE_SECONDS) : []
    return { ...facts, inserts: [...facts.inserts, ...ordered] }
  })
  const [seeded] = await sql`select from app.index_build where state = 'served'`
  if (!seeded) await seedBuilds(sql, { databaseUrl, addressBook, chains })
  // Otherwise Postgres would write the seeded rows to disk while reads are measured.
  await sql`checkpoint`
  await sql.end()

  const served = await serveIdleChains(databaseUrl, chainCount, addressBook)
  // Nothing listens at the nodes of idle chains.
  const nowhere = served.chains.map(({ id }) => [id, 'http://127.0.0.1:1'])
  const rpcUrls = { ...Object.fromEntries(nowhere), ...world.rpcUrls }
  const api = await startBenchApi({ databaseUrl, addressBook: served, rpcUrls, variables })
  started.defer(api.stop)
  started.defer(await moveHeads(databaseUrl, served))
  await use({ api, databaseUrl, port: api.port, vaults: listed, queues })
}

async function ownDatabase(started: AsyncDisposableStack): Promise<string> {
  const postgres = await startBenchPostgres()
  started.defer(postgres.stop)
  return postgres.url
}

async function tick(world: World) {
  await Promise.all(MODELS.map(({ chainId }) => worldClient(world, chainId).mine({ blocks: 1 })))
}

function queueOf({
  chainId,
  vault,
  queues,
  assets,
}: AddressBookDeployment): Omit<SeededQueue, 'orders' | 'waiting'> {
  const [first] = queues
  if (!first) throw new Error('every deployment of the local vaults has a queue')
  const wanted = assets.map(({ address }) => address)
  return { chainId, vault: vault.address, queue: first.address, assets: wanted }
}
