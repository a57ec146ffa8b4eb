import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import { earnDeployments } from '../../domain/earn/vaults/deployments.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { BlockId } from '../../domain/smartDeposit/keeperDeposit.ts'
import { readTransfers, type TransferQuery } from '../../domain/smartDeposit/readTransfers.ts'
import { type Head, readHash } from './chainReads.ts'
import { blockOf } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import { placeTransfers } from './placeTransfers.ts'
import { recordTransfers } from './recordTransfers.ts'
import { recordUnplaced } from './unplacedTransfers.ts'

/** Blocks per step: a worker that catches up for long reports deposits after each step. All transfers of ten blocks can be megabytes. */
const BLOCKS_AT_ONCE = { byRecipient: 2_000, all: 10 }

/** Reads the logs since the cursor, and records deposits for transfers to registered addresses. */
export async function watchTransfers(keeper: Keeper, head: Head): Promise<void> {
  const target = head.number - keeper.smartDeposit.pendingDepth
  // The chain has too few blocks.
  if (target < 0) return
  let cursor = await readCursor(keeper)
  if (!cursor) {
    const hash = await readHash(keeper, target)
    // The first check of the balances finds earlier payments.
    if (hash) await keeper.lease.write((sql) => moveCursor(sql, keeper, { number: target, hash }))
    return
  }
  if (cursor.number <= head.number && (await readHash(keeper, cursor.number)) !== cursor.hash)
    cursor = { ...cursor, number: Math.max(cursor.number - keeper.chain.finalityDepth, -1) }
  const blocks = areFew(keeper) ? BLOCKS_AT_ONCE.byRecipient : BLOCKS_AT_ONCE.all
  while (cursor.number < target) {
    const to = Math.min(cursor.number + blocks, target)
    cursor = await readUpTo(keeper, { from: cursor.number + 1, to })
  }
}

async function readUpTo(keeper: Keeper, { from, to }: { from: number; to: number }) {
  const hash = await readHash(keeper, to)
  const of = { chains: keeper.service.chains, chainId: keeper.chain.id }
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
  const transfers =
    keeper.watched.size() === 0 ? [] : await readTransfers(of, range, watchQuery(keeper))
  const { placed, unplaced } = await placeTransfers(keeper, transfers)
  // A reorganization during the read would mix two chains.
  if (hash === null || (await readHash(keeper, to)) !== hash) throw chainMoved(keeper)
  const cursor = { number: to, hash }
  await keeper.lease.write(async (sql) => {
    await moveCursor(sql, keeper, cursor)
    await recordTransfers(sql, keeper, placed)
    await recordUnplaced(sql, keeper, unplaced)
  })
  return cursor
}

/** Whether one call of a node finds the transfers to all addresses. With more of them all transfers of the chain are read, so that the calls do not grow with the addresses. */
function areFew({ watched, settings }: Keeper): boolean {
  return watched.size() <= settings.fewAddresses
}

function watchQuery(keeper: Keeper): TransferQuery {
  const { watched } = keeper
  return transfersTo(
    keeper,
    areFew(keeper) ? watched.list() : (account) => watched.of(account) !== undefined,
  )
}

/** Transfers of any token to these addresses. */
export function transfersTo(keeper: Keeper, to: TransferQuery['to']): TransferQuery {
  const { chain, logger, service, watched } = keeper
  const listed = service.addressBook.tokens.filter(({ chainId }) => chainId === chain.id)
  const shares = earnDeployments(service.addressBook).filter(({ chainId }) => chainId === chain.id)
  const accepted = new Set<Address>([
    ...watched.tokens(),
    ...listed.map(({ address }) => address),
    ...shares.map(({ vault }) => vault),
  ])
  const onCrowd = (block: bigint) =>
    logger.warn(
      { chainId: chain.id, block: Number(block) },
      'a block has more transfers than a node answers: those of tokens that the address book does not name are not recorded',
    )
  return { to, accepted: [...accepted], onCrowd }
}

/** The next pass reads the range again. */
function chainMoved({ chain }: Keeper) {
  return new ServiceError('RPC_UNAVAILABLE', `Chain ${chain.id} moved while it was read`, {
    metadata: { chainId: String(chain.id) },
  })
}

export async function readCursor({ sql, chain }: Keeper): Promise<BlockId | null> {
  const [row] = await sql<{ number: bigint | null; hash: Hex | null }[]>`
    select block_number as number, block_hash as hash from app.keeper_chain
    where chain_id = ${chain.id}`
  return row ? blockOf(row.number, row.hash) : null
}

async function moveCursor(sql: TransactionSql, { chain }: Keeper, { number, hash }: BlockId) {
  await sql`
    update app.keeper_chain
    set block_number = ${number}, block_hash = ${hash}, updated_at = now()
    where chain_id = ${chain.id}`
}
