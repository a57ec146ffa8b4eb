import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import { findDeployment } from '../../domain/earn/vaults/deployments.ts'
import { depositIdOf, paymentIdOf } from '../../domain/smartDeposit/paymentId.ts'
import { listDeposits } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import type { PlacedTransfer } from './placeTransfers.ts'
import { recordDepositEvents } from './recordDepositEvents.ts'

/**
 * Records transfers of the accepted token as deposits, and others as foreign transfers. Known ones do not
 * change, except reverted deposits: their transactions are mined again.
 */
export async function recordTransfers(
  sql: TransactionSql,
  keeper: Keeper,
  transfers: readonly PlacedTransfer[],
): Promise<void> {
  const accepted: Recorded[] = []
  const foreign: Recorded[] = []
  for (const transfer of transfers) {
    const taken = keeper.watched.tokenOf(transfer.to)
    if (taken === undefined) continue
    const paymentId = paymentIdOf({ chainId: keeper.chain.id, ...transfer })
    const kind = taken === transfer.token ? accepted : foreign
    kind.push({ transfer, paymentId })
  }
  if (accepted.length > 0) await recordDeposits(sql, keeper, accepted)
  if (foreign.length > 0) await recordForeign(sql, keeper, foreign)
}

type Recorded = { transfer: PlacedTransfer; paymentId: Hex }

async function recordDeposits(sql: TransactionSql, keeper: Keeper, recorded: readonly Recorded[]) {
  const paymentIds = recorded.map(({ paymentId }) => paymentId)
  const known = await listDeposits(sql, sql`d.payment_id = any(${paymentIds})`)
  const byAttempt = known.toSorted((one, other) => one.attempt - other.attempt)
  const latestOf = new Map(byAttempt.map((deposit) => [deposit.paymentId, deposit]))
  const depositors = await depositorsOf(sql, keeper, recorded)
  const added = recorded.flatMap(({ transfer, paymentId }) => {
    const latest = latestOf.get(paymentId)
    if (latest && latest.status !== 'reverted') return []
    const depositId = latest?.depositId ?? depositIdOf(paymentId, 1)
    return [{ depositId, paymentId, transfer, depositor: depositors.get(transfer.to) ?? null }]
  })
  if (added.length === 0) return
  await sql`
    insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, address, token, payment_id,
      attempt, received_amount, payment_tx_hash, payment_log_position, payment_block_number,
      payment_block_hash, status, depositor_address)
    select deposit_id, ${keeper.chain.id}, ${keeper.chain.id}, address, token, payment_id, 1, amount, tx_hash, log_position,
      block_number, block_hash, 'pending', depositor
    from unnest(
      ${added.map(({ depositId }) => depositId)}::text[],
      ${added.map(({ transfer }) => transfer.to)}::text[],
      ${added.map(({ transfer }) => transfer.token)}::text[],
      ${added.map(({ paymentId }) => paymentId)}::text[],
      ${added.map(({ transfer }) => String(transfer.amount))}::numeric[],
      ${added.map(({ transfer }) => transfer.transactionHash)}::text[],
      ${added.map(({ transfer }) => transfer.logPosition)}::integer[],
      ${added.map(({ transfer }) => transfer.block.number)}::bigint[],
      ${added.map(({ transfer }) => transfer.block.hash)}::text[],
      ${added.map(({ depositor }) => depositor)}::text[]
    ) as new (deposit_id, address, token, payment_id, amount, tx_hash, log_position, block_number,
      block_hash, depositor)
    on conflict (deposit_id) do update set status = 'pending', is_final = false,
      payment_block_number = excluded.payment_block_number,
      payment_block_hash = excluded.payment_block_hash, updated_at = now()`
  const depositIds = added.map(({ depositId }) => depositId)
  const deposits = await listDeposits(sql, sql`d.deposit_id = any(${depositIds})`)
  const byId = new Map(deposits.map((deposit) => [deposit.depositId, deposit]))
  // Events in the order of the transfers.
  for (const depositId of depositIds) {
    const deposit = byId.get(depositId)
    if (deposit) await recordDepositEvents(sql, keeper, deposit)
  }
}

/** By address, the address book's depositor, until the factory's route is read. */
async function depositorsOf(
  sql: TransactionSql,
  { chain, service }: Keeper,
  recorded: readonly Recorded[],
) {
  const addresses = recorded.map(({ transfer }) => transfer.to)
  const rows = await sql<{ address: Address; vault: Address }[]>`
    select address, vault_address as vault from app.smart_deposit_address
    where chain_id = ${chain.id} and address = any(${addresses})`
  return new Map(
    rows.map(({ address, vault }) => [
      address,
      findDeployment(service.addressBook, chain.id, vault)?.depositor,
    ]),
  )
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
