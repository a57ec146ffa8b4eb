import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import { findDeployment } from '../../domain/earn/vaults/deployments.ts'
import { depositIdOf, paymentIdOf } from '../../domain/smartDeposit/paymentId.ts'
import type { Transfer } from '../../domain/smartDeposit/readTransfers.ts'
import { listDeposits } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import { recordDepositEvents } from './recordDepositEvents.ts'

/** A transfer with its position among the logs of its transaction. */
export type PlacedTransfer = Transfer & { logPosition: number }

/**
 * Records transfers of the accepted token as deposits, and others as foreign transfers. Known ones do not
 * change, except reverted deposits: their transactions are mined again.
 */
export async function recordTransfers(
  sql: TransactionSql,
  keeper: Keeper,
  transfers: readonly PlacedTransfer[],
): Promise<void> {
  const foreign: Recorded[] = []
  for (const transfer of transfers) {
    const taken = keeper.watched.tokenOf(transfer.to)
    if (taken === undefined) continue
    const paymentId = paymentIdOf({ chainId: keeper.chain.id, ...transfer })
    if (taken === transfer.token) await recordDeposit(sql, keeper, { transfer, paymentId })
    else foreign.push({ transfer, paymentId })
  }
  if (foreign.length > 0) await recordForeign(sql, keeper, foreign)
}

type Recorded = { transfer: PlacedTransfer; paymentId: Hex }

async function recordDeposit(sql: TransactionSql, keeper: Keeper, recorded: Recorded) {
  const { transfer, paymentId } = recorded
  const { number, hash } = transfer.block
  const [latest] = (await listDeposits(sql, sql`d.payment_id = ${paymentId}`)).sort(
    (a, b) => b.attempt - a.attempt,
  )
  if (latest && latest.status !== 'reverted') return
  const depositId = latest?.depositId ?? depositIdOf(paymentId, 1)
  await sql`
    insert into app.smart_deposit (deposit_id, chain_id, address, payment_id, attempt,
      received_amount, payment_tx_hash, payment_log_position, payment_block_number,
      payment_block_hash, status, depositor_address)
    values (${depositId}, ${keeper.chain.id}, ${transfer.to}, ${paymentId}, 1,
      ${String(transfer.amount)}, ${transfer.transactionHash}, ${transfer.logPosition},
      ${number}, ${hash}, 'pending', ${await depositorOf(sql, keeper, transfer.to)})
    on conflict (deposit_id) do update set status = 'pending', is_final = false,
      payment_block_number = excluded.payment_block_number,
      payment_block_hash = excluded.payment_block_hash, updated_at = now()`
  const [deposit] = await listDeposits(sql, sql`d.deposit_id = ${depositId}`)
  if (deposit) await recordDepositEvents(sql, keeper, deposit)
}

/** The address book's depositor, until the factory's route is read. */
async function depositorOf(sql: TransactionSql, { chain, service }: Keeper, address: Address) {
  const [row] = await sql<{ vault: Address }[]>`
    select vault_address as vault from app.smart_deposit_address
    where chain_id = ${chain.id} and address = ${address}`
  const found = row && findDeployment(service.addressBook, chain.id, row.vault)
  return found?.depositor ?? null
}

/** One statement, because anybody can fill a block with such transfers. */
async function recordForeign(sql: TransactionSql, keeper: Keeper, recorded: readonly Recorded[]) {
  const column = <Value>(value: (one: Recorded) => Value) => recorded.map(value)
  const { id: chainId } = keeper.chain
  const added = await sql<{ isNew: boolean; address: Address; token: Address }[]>`
    insert into app.foreign_transfer (payment_id, chain_id, address, token, amount, tx_hash,
      log_position, block_number, block_hash)
    select payment_id, ${chainId}, address, token, amount, tx_hash, log_position, block_number,
      block_hash
    from unnest(
      ${column(({ paymentId }) => paymentId)}::text[],
      ${column(({ transfer }) => transfer.to)}::text[],
      ${column(({ transfer }) => transfer.token)}::text[],
      ${column(({ transfer }) => String(transfer.amount))}::numeric[],
      ${column(({ transfer }) => transfer.transactionHash)}::text[],
      ${column(({ transfer }) => transfer.logPosition)}::integer[],
      ${column(({ transfer }) => transfer.block.number)}::bigint[],
      ${column(({ transfer }) => transfer.block.hash)}::text[]
    ) as new (payment_id, address, token, amount, tx_hash, log_position, block_number, block_hash)
    on conflict (payment_id) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash
    returning xmax = 0 as "isNew", address, token`
  const isNew = added.filter((row) => row.isNew)
  const groups = Map.groupBy(isNew, ({ address, token }) => `${address} ${token}`)
  for (const [{ address, token } = {}, ...more] of groups.values())
    keeper.logger.warn(
      { chainId, address, token, transfers: 1 + more.length },
      'a smart deposit address received a token that it does not accept',
    )
}
