import type { Sql } from 'postgres'
import { type Hex, padHex, toHex } from 'viem'
import { connect } from '../../db/sql.ts'
import { devnetClient } from '../../devnet/world.ts'
import { createReadStore } from '../../domain/cache/keptReads.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { createRouteLatencies } from '../../domain/transit/routes/routeLatencies.ts'
import type { FeedContext } from '../../worker/feed/recordChainEvents.ts'
import { testAddressBook } from './addressBook.ts'
import { startTestAnvils } from './anvils.ts'
import { insertDestinations, insertSources } from './insertOrder.ts'
import { passOverChains } from './passOverChains.ts'
import { createTestDatabase, INDEX_TEMPLATE_DATABASE } from './postgres.ts'
import { BUILD, replaceHeads, serveTestIndex } from './testIndex.ts'

const [first] = testAddressBook.chains
if (!first) throw new Error('the address book of tests has chains')
const further = { ...first, id: 8453, name: 'Third', eid: 30_184 }
const addressBook = { ...testAddressBook, chains: [...testAddressBook.chains, further] }
const USER: Hex = `0x${'c3'.repeat(20)}`
/** The head of the index of each chain. No block is final yet, until `finalize`. */
const HEAD = 20
/** Blocks of each node. */
const BLOCKS = 30
const ORGANIZATIONS = ['One', 'Other']

export const FEED_CHAINS = [1, 4663, 8453] as const

export type FedOrder = { id: Hex; from: number; to: number }

export type FeedWorld = Awaited<ReturnType<typeof startFeedWorld>>

/**
 * An index of three chains that is written by hand, with a real node per chain whose blocks are others: a fact that is deleted
 * is gone. Two organizations watch the user of all orders. The cursors stand at the heads.
 */
export async function startFeedWorld(started: AsyncDisposableStack) {
  const { url, drop } = await createTestDatabase(INDEX_TEMPLATE_DATABASE)
  started.defer(drop)
  const sql = connect(url, { applicationName: 'test' })
  started.defer(() => sql.end())
  await serveTestIndex(sql, addressBook.chains, { [further.id]: HEAD })
  await sql`update app.index_high_water set block_number = ${HEAD}`
  await sql`update ${sql(`${BUILD}.chain_head`)} set block_number = ${HEAD}`
  const { rpcUrls, wsUrls, stop } = await startTestAnvils([...FEED_CHAINS])
  started.defer(stop)
  for (const id of FEED_CHAINS) await devnetClient(id, rpcUrls[id] ?? '').mine({ blocks: BLOCKS })
  for (const name of ORGANIZATIONS)
    await sql`
      with organization as (insert into app.organization (name) values (${name}) returning id)
      insert into app.webhook_endpoint (organization_id, url, event_types, filter)
      select id, 'https://example.com', '{transit.*}', ${`userAddress = ${USER}`} from organization`

  /** What a worker of its own has; `changes` are of its nodes' URLs. */
  function createContext(own: Sql, changes: Record<number, string> = {}, readTimeoutMs?: number) {
    const endpoints = FEED_CHAINS.map((chainId) => ({
      chainId,
      rpcUrls: [changes[chainId] ?? rpcUrls[chainId] ?? ''],
    }))
    return {
      sql: own,
      chains: createChainClients(endpoints, addressBook, {
        ...(readTimeoutMs && { readTimeoutMs }),
      }),
      addressBook,
      routeLatencies: createRouteLatencies(own, createReadStore('test', { max: 10 })),
    } satisfies FeedContext
  }
  const context = createContext(sql)
  await passOverChains(context, FEED_CHAINS)
  let orders = 0

  return {
    url,
    sql,
    rpcUrls,
    wsUrls,
    createContext,
    context,
    /** Further orders have other ids. */
    newOrder(from: number, to: number): FedOrder {
      orders += 1
      return { id: idOf(orders), from, to }
    },
    submit: ({ id, from, to }: FedOrder, blockHash: Hex = idOf(1)) =>
      insertSources(sql, [
        {
          ...logOf(id, from, blockHash),
          destination_eid: eidOf(to),
          user_address: USER,
          receiver: USER,
        },
      ]),
    deliver: ({ id, from, to }: FedOrder, blockHash: Hex = idOf(1)) =>
      insertDestinations(sql, [
        {
          ...logOf(id, to, blockHash),
          log_index: 1,
          source_eid: from === to ? null : eidOf(from),
          last_block_number: HEAD + 1,
          last_block_timestamp: 1_700_000_000,
        },
      ]),
    /** Marks the id of an order as used on a chain that it has not arrived on. */
    bar: ({ id }: FedOrder, chainId: number) =>
      insertDestinations(sql, [
        {
          ...logOf(id, chainId, idOf(1)),
          log_index: 2,
          source_eid: null,
          offer_asset: null,
          want_asset: null,
          receiver: null,
          amount_due: null,
          remaining: null,
          status: 'REMOVED',
          last_block_number: HEAD + 1,
          last_block_timestamp: 1_700_000_000,
        },
      ]),
    /** Moves the head of a chain so far that all its facts are final. */
    async finalize(chainId: number) {
      const { finalityDepth = 0 } = addressBook.chains.find(({ id }) => id === chainId) ?? {}
      const head = HEAD + 1 + finalityDepth
      await sql.begin(async (transaction) => {
        await transaction`
          update ${sql(`${BUILD}.chain_head`)} set block_number = ${head} where chain_id = ${chainId}`
        await transaction`
          update app.index_high_water set block_number = ${head} where chain_id = ${chainId}`
        await replaceHeads(transaction)
      })
    },
    /** Deletes the log of an order on a side, as a reorganisation does. */
    async takeBack({ id }: FedOrder, side: 'source' | 'destination') {
      await sql.begin(async (transaction) => {
        await transaction`
          delete from ${sql(`${BUILD}.transit_${side}`)} where order_id = ${id}`
        await replaceHeads(transaction)
      })
    },
    /** Tells the listeners of the served build, as each of its blocks does. */
    notify: () => sql.unsafe(`notify ${BUILD}_live_query`),
    /** The last parts of the types of an order's events, as one organization has them. */
    async typesOf({ id }: FedOrder): Promise<string[]> {
      const rows = await sql<{ type: string }[]>`
        select type from app.event e join app.organization o on o.id = e.organization_id
        where o.name = ${ORGANIZATIONS[0] ?? ''} and resource = ${`transit_order:${id}`}
        order by organization_sequence`
      return rows.map(({ type }) => type.split('.').at(-1) ?? '')
    },
    /** The number of passes over each chain that have written. */
    async passes(): Promise<Map<number, bigint>> {
      const rows = await sql<{ chainId: number; passes: bigint }[]>`
        select chain_id as "chainId", passes from app.feed_cursor`
      return new Map(rows.map(({ chainId, passes }) => [chainId, passes]))
    },
  }
}

function idOf(number: number): Hex {
  return padHex(toHex(number), { size: 32 })
}

function logOf(id: Hex, chainId: number, blockHash: Hex) {
  return {
    chain_id: chainId,
    order_id: id,
    block_number: HEAD + 1,
    block_hash: blockHash,
    block_timestamp: Math.floor(Date.now() / 1_000),
    transaction_hash: id,
    log_index: 0,
  }
}

function eidOf(chainId: number): number {
  return addressBook.chains.find(({ id }) => id === chainId)?.eid ?? 0
}
