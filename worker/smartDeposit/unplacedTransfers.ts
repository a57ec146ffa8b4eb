import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { Transfer } from '../../domain/smartDeposit/readTransfers.ts'
import { type Head, readHash } from './chainReads.ts'
import type { Keeper } from './keeper.ts'
import { placeTransfers, RECEIPTS_AT_ONCE, type UnplacedTransfer } from './placeTransfers.ts'
import { recordTransfers } from './recordTransfers.ts'
import { runApart } from './runApart.ts'

/** Records transfers that cannot be placed now. Known payments of the same transactions are left out. */
export async function recordUnplaced(
  sql: TransactionSql,
  { chain, logger }: Keeper,
  unplaced: readonly UnplacedTransfer[],
): Promise<void> {
  if (unplaced.length === 0) return
  const column = <Value>(value: (one: UnplacedTransfer) => Value) => unplaced.map(value)
  const added = await sql<{ hash: Hex; error: string }[]>`
    insert into app.unplaced_transfer (chain_id, block_number, block_hash, log_index, tx_hash,
      address, token, amount, error)
    select ${chain.id}, block_number, block_hash, log_index, tx_hash, address, token, amount, error
    from unnest(
      ${column(({ block }) => block.number)}::bigint[],
      ${column(({ block }) => block.hash)}::text[],
      ${column(({ logIndex }) => logIndex)}::integer[],
      ${column(({ transactionHash }) => transactionHash)}::text[],
      ${column(({ to }) => to)}::text[],
      ${column(({ token }) => token)}::text[],
      ${column(({ amount }) => String(amount))}::numeric[],
      ${column(({ error }) => error)}::text[]
    ) as new (block_number, block_hash, log_index, tx_hash, address, token, amount, error)
    where not exists (
        select from app.smart_deposit d
        where d.chain_id = ${chain.id} and d.address = new.address and d.token = new.token
          and d.payment_tx_hash = new.tx_hash and d.received_amount = new.amount)
      and not exists (
        select from app.foreign_transfer f
        where f.chain_id = ${chain.id} and f.address = new.address and f.token = new.token
          and f.tx_hash = new.tx_hash and f.amount = new.amount)
    on conflict do nothing returning tx_hash as hash, error`
  for (const [hash, [one]] of Map.groupBy(added, (row) => row.hash))
    logger.warn(
      { chainId: chain.id, hash, why: one?.error },
      'a transaction with transfers to smart deposit addresses cannot be placed: they wait',
    )
}

type UnplacedRow = {
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
  hash: Hex
  address: Address
  token: Address
  amount: string
}

/**
 * Looks again at the transactions that could not be placed, each after as long as it has waited already, and at least once
 * per sweep. What no longer is on the chain when nothing can bring it back is dropped.
 */
export async function placeWaiting(keeper: Keeper, head: Head): Promise<void> {
  const { sql, chain, smartDeposit } = keeper
  const rows = await sql<UnplacedRow[]>`
    with due as (
      select tx_hash from app.unplaced_transfer
      where chain_id = ${chain.id} and look_at <= now()
        and block_number <= ${head.number - smartDeposit.pendingDepth}
      group by tx_hash order by min(look_at) limit ${RECEIPTS_AT_ONCE}
    )
    select u.block_number as "blockNumber", u.block_hash as "blockHash", u.log_index as "logIndex",
      u.tx_hash as hash, u.address, u.token, u.amount
    from app.unplaced_transfer u join due using (tx_hash)
    where u.chain_id = ${chain.id} order by u.block_number, u.log_index`
  await runApart(keeper, {
    items: Map.groupBy(rows.map(toTransfer), ({ block }) => block.hash),
    nameOf: ([hash]) => `block ${hash}`,
    run: ([, transfers]) => lookAgain(keeper, transfers, head),
  })
}

/** Looks at waiting transfers of one block. */
async function lookAgain(keeper: Keeper, transfers: readonly Transfer[], head: Head) {
  const { chain, lease } = keeper
  const [{ block } = {}] = transfers
  if (!block) return
  if ((await readHash(keeper, block.number)) === block.hash) return placeAgain(keeper, transfers)
  const isFinal = block.number <= head.number - chain.finalityDepth
  // The watcher finds the transaction in the block that has it now.
  return lease.write((sql) => (isFinal ? forget : wait)(sql, keeper, transfers))
}

function toTransfer(row: UnplacedRow): Transfer {
  const { blockNumber, blockHash, hash, address, amount, ...rest } = row
  const block = { number: Number(blockNumber), hash: blockHash }
  return { ...rest, to: address, amount: BigInt(amount), transactionHash: hash, block }
}

async function placeAgain(keeper: Keeper, transfers: readonly Transfer[]) {
  const { placed, unplaced } = await placeTransfers(keeper, transfers)
  await keeper.lease.write(async (sql) => {
    await recordTransfers(sql, keeper, placed)
    await forget(sql, keeper, placed)
    await wait(sql, keeper, unplaced)
  })
}

async function forget(sql: TransactionSql, { chain }: Keeper, transfers: readonly Transfer[]) {
  await sql`
    delete from app.unplaced_transfer u using unnest(
      ${transfers.map(({ block }) => block.hash)}::text[],
      ${transfers.map(({ logIndex }) => logIndex)}::integer[]) as known (block_hash, log_index)
    where u.chain_id = ${chain.id} and u.block_hash = known.block_hash
      and u.log_index = known.log_index`
}

/** The transactions of these transfers are placed now, also where a node shows their logs at other indexes. */
export async function forgetTransactions(
  sql: TransactionSql,
  { chain }: Keeper,
  transfers: readonly Transfer[],
): Promise<void> {
  await sql`
    delete from app.unplaced_transfer
    where chain_id = ${chain.id}
      and tx_hash = any(${transfers.map(({ transactionHash }) => transactionHash)}::text[])`
}

async function wait(
  sql: TransactionSql,
  { chain, settings }: Keeper,
  transfers: readonly (Transfer & { error?: string })[],
) {
  await sql`
    update app.unplaced_transfer u set error = coalesce(known.error, u.error),
      look_at = now() + least(now() - u.seen_at, make_interval(secs => ${settings.sweepMs / 1_000}))
    from unnest(
      ${transfers.map(({ block }) => block.hash)}::text[],
      ${transfers.map(({ logIndex }) => logIndex)}::integer[],
      ${transfers.map(({ error }) => error ?? null)}::text[]
    ) as known (block_hash, log_index, error)
    where u.chain_id = ${chain.id} and u.block_hash = known.block_hash
      and u.log_index = known.log_index`
}
