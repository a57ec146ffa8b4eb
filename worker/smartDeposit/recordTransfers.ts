import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import { earnDeployments } from '../../domain/earn/deployments.ts'
import { depositIdOf, receiptIdOf } from '../../domain/smartDeposit/receiptId.ts'
import { listDeposits } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import { tellDeposit } from './tellDeposit.ts'
import type { PlacedTransfer } from './watchTransfers.ts'

/**
 * Makes deposits of transfers of what their addresses take, and remembers the others as foreign. Those
 * that are known stay as they are, but for the reverted: their transactions are there again.
 */
export async function recordTransfers(
  sql: TransactionSql,
  keeper: Keeper,
  transfers: readonly PlacedTransfer[],
): Promise<void> {
  for (const transfer of transfers) {
    const taken = keeper.watched.tokenOf(transfer.to)
    if (taken === undefined) continue
    const receiptId = receiptIdOf({ chainId: keeper.chain.id, ...transfer })
    if (taken === transfer.token) await recordDeposit(sql, keeper, { transfer, receiptId })
    else await recordForeign(sql, keeper, { transfer, receiptId })
  }
}

type Recorded = { transfer: PlacedTransfer; receiptId: Hex }

async function recordDeposit(sql: TransactionSql, keeper: Keeper, recorded: Recorded) {
  const { transfer, receiptId } = recorded
  const { number, hash } = transfer.block
  const [latest] = (await listDeposits(sql, sql`d.receipt_id = ${receiptId}`)).sort(
    (a, b) => b.attempt - a.attempt,
  )
  if (latest && latest.status !== 'reverted') return
  const depositId = latest?.depositId ?? depositIdOf(receiptId, 1)
  await sql`
    insert into app.smart_deposit (deposit_id, chain_id, address, receipt_id, attempt,
      received_amount, receipt_tx_hash, receipt_log_position, receipt_block_number,
      receipt_block_hash, status, depositor_address)
    values (${depositId}, ${keeper.chain.id}, ${transfer.to}, ${receiptId}, 1,
      ${String(transfer.amount)}, ${transfer.transactionHash}, ${transfer.logPosition},
      ${number}, ${hash}, 'pending', ${await depositorOf(sql, keeper, transfer.to)})
    on conflict (deposit_id) do update set status = 'pending', is_final = false,
      receipt_block_number = excluded.receipt_block_number,
      receipt_block_hash = excluded.receipt_block_hash, updated_at = now()`
  const [deposit] = await listDeposits(sql, sql`d.deposit_id = ${depositId}`)
  if (deposit) await tellDeposit(sql, keeper, deposit)
}

/** The address book's, until the factory is asked. */
async function depositorOf(sql: TransactionSql, { chain, service }: Keeper, address: Address) {
  const [row] = await sql<{ vault: Address }[]>`
    select vault_address as vault from app.smart_deposit_address
    where chain_id = ${chain.id} and address = ${address}`
  const found = earnDeployments(service.addressBook).find(
    ({ chainId, vault }) => chainId === chain.id && vault === row?.vault,
  )
  return found?.depositor ?? null
}

async function recordForeign(sql: TransactionSql, keeper: Keeper, recorded: Recorded) {
  const { transfer, receiptId } = recorded
  const { to, token, amount, transactionHash, logPosition, block } = transfer
  const added = await sql`
    insert into app.foreign_transfer (receipt_id, chain_id, address, token, amount, tx_hash,
      log_position, block_number, block_hash)
    values (${receiptId}, ${keeper.chain.id}, ${to}, ${token}, ${String(amount)},
      ${transactionHash}, ${logPosition}, ${block.number}, ${block.hash})
    on conflict (receipt_id) do update
      set block_number = excluded.block_number, block_hash = excluded.block_hash
    returning xmax = 0 as "isNew"`
  if (added[0]?.isNew)
    keeper.logger.warn(
      { chainId: keeper.chain.id, address: to, token, transactionHash },
      'a token that the smart deposit address does not take came to it',
    )
}
