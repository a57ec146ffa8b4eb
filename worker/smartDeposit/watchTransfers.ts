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

/** Blocks per step: a worker that catches up for long reports deposits after each step. */
const BLOCKS_AT_ONCE = 2_000

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
  while (cursor.number < target) {
    const to = Math.min(cursor.number + BLOCKS_AT_ONCE, target)
    cursor = await readUpTo(keeper, { from: cursor.number + 1, to })
  }
}

async function readUpTo(keeper: Keeper, { from, to }: { from: number; to: number }) {
  const hash = await readHash(keeper, to)
  const transfers = await readWanted(keeper, { from, to })
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

/**
 * Queries by recipient while addresses are few, which finds every token; else by token. Any token counts at addresses of generation
 * B, so they are always queried by recipient.
 */
async function readWanted(keeper: Keeper, { from, to }: { from: number; to: number }) {
  const { chain, service, watched, settings } = keeper
  if (watched.size() === 0) return []
  const of = { chains: service.chains, chainId: chain.id }
  const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
  if (watched.size() <= settings.fewAddresses)
    return readTransfers(of, range, recipientsQuery(keeper, watched.list()))
  const listed = service.addressBook.tokens.filter(({ chainId }) => chainId === chain.id)
  const shares = earnDeployments(service.addressBook).filter(({ chainId }) => chainId === chain.id)
  const tokens = new Set<Address>([
    ...watched.tokens(),
    ...listed.map(({ address }) => address),
    ...shares.map(({ vault }) => vault),
  ])
  const isRecipient = (account: Address) => watched.of(account)?.takesAny === false
  const found = [await readTransfers(of, range, { tokens: [...tokens], isRecipient })]
  const takingAny = watched.listTakingAny()
  for (let start = 0; start < takingAny.length; start += settings.fewAddresses) {
    const some = takingAny.slice(start, start + settings.fewAddresses)
    found.push(await readTransfers(of, range, recipientsQuery(keeper, some)))
  }
  return found.flat().sort((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex)
}

/** Transfers of any token to these addresses. */
export function recipientsQuery(
  { chain, logger, watched }: Keeper,
  recipients: readonly Address[],
): TransferQuery {
  const onCrowd = (block: bigint) =>
    logger.warn(
      { chainId: chain.id, block: Number(block) },
      'a block has more transfers to smart deposit addresses than a node answers: those of tokens that no address accepts are not recorded',
    )
  return { recipients, accepted: watched.tokens(), onCrowd }
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
