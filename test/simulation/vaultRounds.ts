import type { Sql } from 'postgres'
import { zeroAddress } from 'viem'
import { connect } from '../../db/sql.ts'
import { comparePages } from '../support/comparePages.ts'
import { untilIndexed } from '../support/indexer.ts'
import type { TestProduct, TestProductOptions } from '../support/product.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'
import { crossCheck } from '../support/vaultOracle/oracleCrossCheck.ts'
import { openVaultOracle, type VaultOracle } from '../support/vaultOracle.ts'
import { feeRecipient, HASTY, outcast, PLAYERS, recovery } from './vaultActors.ts'
import { endingOf } from './vaultEndings.ts'
import { createVaultHistory } from './vaultHistory.ts'
import { VAULT_QUERIES, type VaultList } from './vaultQueries.ts'

export type VaultRoundOptions = {
  product: TestProduct
  seed: number
  /** On every chain. */
  moves: number
  /** The number of queries of each list, at each of the two comparisons. */
  queries?: number
  lists?: readonly VaultList[]
}

export type VaultRoundReport = {
  calls: { passed: number; reverted: number; blocks: number }
  /** The numbers of requests by ending. */
  endings: Map<string, number>
  compared: { queries: number; pages: number; askedAgain: number; rows: Map<VaultList, number> }
}

/** The chains that have, together, every kind of vault that the plan has. */
export const VAULT_ROUND_CHAINS = [1, 999, 11_155_111]
/** The world of a round, with depositors of both kinds of caps. */
export const VAULT_ROUND_WORLD: TestProductOptions = {
  chainIds: VAULT_ROUND_CHAINS,
  withVaults: true,
  ofB: [
    { name: 'Harbor Prime', chainId: 1, build: 'DepositorBInShares' },
    { name: 'Harbor Dollar', chainId: 1, build: 'DepositorBInValue' },
    { name: 'Harbor Gold', chainId: 999, build: 'DepositorBHybrid' },
  ],
}
/** Every list; Object.keys does not know that it is of this table. */
export const ALL_LISTS = Object.keys(VAULT_QUERIES) as VaultList[]
/** The most rows of a page. */
const MOST_ROWS = 100

const ACCOUNTS = [
  ...([HASTY.CancellingReceiver, outcast.address, recovery.address, zeroAddress] as const),
  ...[feeRecipient, ...PLAYERS].map(({ address }) => address),
] as const

/**
 * Plays a history over a product that runs, and compares every list of Earn with the oracle half-way
 * and at the end. Throws at the first difference, naming the seed.
 */
export async function runVaultRound(options: VaultRoundOptions): Promise<VaultRoundReport> {
  const { product, seed, moves } = options
  const sql = connect(product.databaseUrl, { applicationName: 'simulation', max: 1 })
  try {
    const history = await createVaultHistory(product.world, seed)
    const compared = { queries: 0, pages: 0, askedAgain: 0, rows: new Map() }
    const half = Math.floor(moves / 2)
    await history.play(half)
    await compareAll(sql, options, compared)
    await history.play(moves - half)
    await history.settle()
    await history.leaveOpen()
    const oracle = await compareAll(sql, options, compared)
    await history.rest()
    const endings = Map.groupBy(oracle.orders, endingOf)
    return {
      calls: history.counts(),
      compared,
      endings: new Map([...endings].map(([ending, orders]) => [ending, orders.length])),
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error}`, { cause: error })
  } finally {
    await sql.end()
  }
}

async function compareAll(
  sql: Sql,
  { product, seed, lists = ALL_LISTS, queries = 4 }: VaultRoundOptions,
  compared: VaultRoundReport['compared'],
): Promise<VaultOracle> {
  // An API keeps reads of chains for a while, its own and those that another published. This one has none.
  await sql`delete from app.published_read`
  const restarting = product.restartApi()
  const oracle = await openVaultOracle(product.addressBookFile, product.world.rpcUrls)
  await restarting
  const doubts = await crossCheck(oracle)
  if (doubts.length > 0) throw new Error(`The oracle's sources differ: ${doubts.join('; ')}`)
  const heads = new Map(oracle.chains.map(({ chainId, head }) => [chainId, head.number]))
  await untilIndexed(sql, Object.fromEntries(heads))
  const random = seededRandom(seed)
  for (const list of lists)
    for (let asked = 0; asked < queries; asked += 1) {
      const drawing = { oracle, random, accounts: ACCOUNTS }
      const query = await VAULT_QUERIES[list](drawing)
      const pageSize = drawPageSize(random, query.rows.length)
      const { rows, pages, askedAgain } = await comparePages(product.url, {
        ...query,
        pageSize,
        heads,
      })
      compared.queries += 1
      compared.rows.set(list, (compared.rows.get(list) ?? 0) + rows)
      compared.pages += pages
      compared.askedAgain += askedAgain
    }
  return oracle
}

/** Mostly small enough for several pages, never small enough for very many. */
function drawPageSize(random: SeededRandom, rows: number): number {
  const least = Math.min(Math.ceil(rows / 12) || 1, MOST_ROWS)
  const half = Math.min(Math.max(least, Math.floor(rows / 2)), MOST_ROWS)
  return random.integer(least, random.chance(0.7) ? half : MOST_ROWS)
}
