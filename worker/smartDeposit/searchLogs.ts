import type { Address } from 'viem'
import { factoriesOf } from '../../domain/addressBook/factories.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { readTransfers, type Transfer } from '../../domain/smartDeposit/readTransfers.ts'
import type { Keeper } from './keeper.ts'
import {
  type PlacedTransfer,
  type Placing,
  placeTransfers,
  type UnplacedTransfer,
} from './placeTransfers.ts'
import { recordTransfers } from './recordTransfers.ts'
import { compareBalances } from './sweepBalances.ts'
import { forgetTransactions, recordUnplaced } from './unplacedTransfers.ts'
import { readCursor, transfersTo } from './watchTransfers.ts'

/** Blocks per pass: a search through a long chain does not hold up the payments of now. */
const BLOCKS_AT_ONCE = 50_000
/** Between two searches for the same balance. It grows with the time that the balance has been there. */
const PAUSE = { least: '30 seconds', most: '1 hour' }

/**
 * Searches the logs of the chain for the payments behind balances that nothing explains: only a log makes a deposit. Every
 * node is asked, because one may hide a log, from the newest block back to the first factory's first one. A balance that stays
 * unexplained is searched for again for ever, ever more slowly.
 */
export async function searchLogs(keeper: Keeper): Promise<void> {
  const { memory } = keeper
  memory.search ??= await beginSearch(keeper)
  const { search } = memory
  if (!search) return
  const { addresses, toBlock } = search
  const startBlock = startBlockOf(keeper)
  const fromBlock = Math.max(toBlock - BLOCKS_AT_ONCE + 1, startBlock)
  // One that fails begins anew after the pause.
  memory.search = null
  const { placed, unplaced } = await askEveryNode(keeper, { addresses, fromBlock, toBlock })
  await keeper.lease.write(async (sql) => {
    await recordTransfers(sql, keeper, placed)
    await forgetTransactions(sql, keeper, placed)
    await recordUnplaced(sql, keeper, unplaced)
  })
  await compareBalances(keeper, addresses)
  const left = await keepUnexplained(keeper, addresses)
  if (left.length > 0 && fromBlock > startBlock)
    memory.search = { addresses: left, toBlock: fromBlock - 1 }
}

/** The first block that can have payments. */
function startBlockOf({ chain }: Keeper): number {
  return Math.min(...factoriesOf(chain).map(({ startBlock }) => startBlock))
}

/** A search for all balances that are due; null without one. */
async function beginSearch(keeper: Keeper) {
  const { sql, chain, settings, lease, logger } = keeper
  const cursor = await readCursor(keeper)
  if (!cursor || cursor.number < startBlockOf(keeper)) return null
  const due = await sql<{ address: Address }[]>`
    select address from app.unexplained_balance
    where chain_id = ${chain.id} and search_at <= now()
    group by address order by min(search_at) limit ${settings.fewAddresses}`
  if (due.length === 0) return null
  // Since the sweep it may have been explained.
  await compareBalances(
    keeper,
    due.map(({ address }) => address),
  )
  const begun = await lease.write(
    (sql) => sql<{ address: Address; token: Address; amount: string; since: Date }[]>`
      update app.unexplained_balance
      set search_at = now() + least(greatest(now() - changed_at, ${PAUSE.least}::interval),
        ${PAUSE.most}::interval)
      where chain_id = ${chain.id} and address = any(${due.map(({ address }) => address)}::text[])
      returning address, token, amount, since`,
  )
  if (begun.length === 0) return null
  for (const { address, token, amount, since } of begun)
    logger.warn(
      { chainId: chain.id, address, token, amount, since },
      'an address holds more than its known payments: the logs are searched for others',
    )
  const addresses = [...new Set(begun.map(({ address }) => address))]
  return { addresses, toBlock: cursor.number }
}

async function keepUnexplained({ sql, chain }: Keeper, addresses: readonly Address[]) {
  const rows = await sql<{ address: Address }[]>`
    select distinct address from app.unexplained_balance
    where chain_id = ${chain.id} and address = any(${addresses}::text[])`
  return rows.map(({ address }) => address)
}

type Part = { addresses: readonly Address[]; fromBlock: number; toBlock: number }

/**
 * The transfers that any node shows. Those of each node are placed by themselves: one may show a log at a wrong index, and
 * another where the receipt has it. Throws if none answers.
 */
async function askEveryNode(
  keeper: Keeper,
  { addresses, fromBlock, toBlock }: Part,
): Promise<Placing> {
  const { chain, service } = keeper
  const range = { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }
  const query = transfersTo(keeper, addresses)
  const placed = new Map<string, PlacedTransfer>()
  const unplaced = new Map<string, UnplacedTransfer>()
  let failure: ServiceError | null = null
  let answers = 0
  for (const node of service.chains.each(chain.id))
    try {
      const of = { chains: node, chainId: chain.id }
      const shown = await readTransfers(of, range, query)
      answers += 1
      const placing = await placeTransfers(keeper, ofNewTransactions(shown, placed))
      for (const transfer of placing.placed) placed.set(nameOf(transfer), transfer)
      for (const transfer of placing.unplaced) unplaced.set(nameOf(transfer), transfer)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      failure = error
    }
  if (answers === 0 && failure) throw failure
  const hashes = new Set([...placed.values()].map(({ transactionHash }) => transactionHash))
  return {
    placed: [...placed.values()].toSorted(
      (a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex,
    ),
    unplaced: [...unplaced.values()].filter(({ transactionHash }) => !hashes.has(transactionHash)),
  }
}

/** The transfers of those transactions of which one is not placed yet. */
function ofNewTransactions(shown: readonly Transfer[], placed: ReadonlyMap<string, unknown>) {
  const hashes = new Set(
    shown.flatMap((transfer) => (placed.has(nameOf(transfer)) ? [] : transfer.transactionHash)),
  )
  return shown.filter(({ transactionHash }) => hashes.has(transactionHash))
}

function nameOf({ block, logIndex }: Transfer): string {
  return `${block.hash} ${logIndex}`
}
