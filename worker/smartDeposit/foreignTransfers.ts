import type { TransactionSql } from 'postgres'
import type { Address, Hex, TransactionReceipt } from 'viem'
import { type Recipient, returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { type Check, type Head, readTransactionReceipt, settledIn } from './chainReads.ts'
import { isUnderWay, type Part } from './intents.ts'
import type { Keeper } from './keeper.ts'
import type { PaidLog } from './payers.ts'
import { isOfKey, type SigningKeeper } from './signingKeepers.ts'
import { storableText } from './storableText.ts'

/** A foreign transfer, of a token that is no deposit at its address, that an operator settles. */
export type WantedForeign = Recipient & {
  paymentId: Hex
  address: Address
  token: Address
  amount: bigint
  txHash: Hex
  logPosition: number
  wanted: 'refund' | 'recover'
}

/** Requested settlements at the addresses of a key that have no open transaction. */
export async function listWantedForeign(
  keeper: SigningKeeper,
  most: number,
): Promise<WantedForeign[]> {
  const { sql, chain } = keeper
  const rows = await sql<(Omit<WantedForeign, 'amount'> & { amount: string })[]>`
    select f.payment_id as "paymentId", f.address, f.token, f.amount, f.wanted,
      f.tx_hash as "txHash", f.log_position as "logPosition", a.factory,
      a.generation, a.chain_id as "addressChainId",
      a.user_destination_address as "userDestinationAddress", a.vault_address as "vaultAddress",
      a.input_token as "inputToken", a.customer_id as "customerId",
      a.organization_id as "organizationId"
    from app.foreign_transfer f
    join app.smart_deposit_address a
      on a.address = f.address and (a.chain_id = f.chain_id or a.generation = 'B')
    where f.chain_id = ${chain.id} and f.wanted is not null and f.settle_tx_hash is null
      and ${isOfKey(keeper, sql`f.address`)}
      and (f.retry_at is null or f.retry_at <= now())
      and not ${isUnderWay(sql, sql`f.payment_id`)}
    order by f.seen_at limit ${most}`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/**
 * Deletes foreign transfers whose transactions a reorganization removed. The watcher goes back and finds
 * one that is mined again by its log.
 */
export async function forgetGone(keeper: Keeper, { head, check }: { head: Head; check: Check }) {
  const { sql, chain, lease } = keeper
  const rows = await sql<{ paymentId: Hex; txHash: Hex; number: bigint; hash: Hex }[]>`
    select payment_id as "paymentId", tx_hash as "txHash", block_number as number,
      block_hash as hash
    from app.foreign_transfer
    where chain_id = ${chain.id} and settle_tx_hash is null
      and block_number > ${head.number - chain.finalityDepth}`
  for (const { paymentId, txHash, number, hash } of rows) {
    if ((await check({ number: Number(number), hash })) !== 'gone') continue
    if (await readTransactionReceipt(keeper, txHash)) continue
    await lease.write(
      (sql) => sql`delete from app.foreign_transfer where payment_id = ${paymentId}`,
    )
  }
}

/** The log of a foreign transfer. */
export function foreignLogOf(foreign: WantedForeign): PaidLog {
  const { address, token, amount, txHash, logPosition } = foreign
  return { address, token, amount, paymentTxHash: txHash, paymentLogPosition: logPosition }
}

/** The call that settles a foreign transfer as the operator requested. */
export function foreignCall(foreign: WantedForeign) {
  const { paymentId: payment, token, amount, wanted } = foreign
  return returnCall(wanted, foreign, { payment, token, amount })
}

type Ended = {
  part: Part
  factory: Address
  receipt: TransactionReceipt
  refusal: string | null
}

/** Records a mined settlement of a foreign transfer. After a failure the operator must request it again. */
export async function endForeign(
  sql: TransactionSql,
  { part: { paymentId, why }, factory, receipt, refusal }: Ended,
): Promise<void> {
  const settled = settledIn(receipt, { factory, paymentId })
  if (settled)
    await sql`
      update app.foreign_transfer set settle_tx_hash = ${receipt.transactionHash}, error = ${why}
      where payment_id = ${paymentId}`
  else await failForeign(sql, paymentId, refusal ?? 'the chain reverted the transaction')
}

/** Its payer cannot be screened now: it is tried again, behind the others. */
export async function delayForeign(
  sql: TransactionSql,
  { settings }: Keeper,
  { paymentId, why }: { paymentId: Hex; why: string },
) {
  await sql`
    update app.foreign_transfer set error = ${storableText(why)},
      retry_at = now() + make_interval(secs => ${settings.retryMs / 1_000})
    where payment_id = ${paymentId}`
}

export async function failForeign(sql: TransactionSql, paymentId: Hex, error: string) {
  await sql`
    update app.foreign_transfer set wanted = null, error = ${storableText(error)}
    where payment_id = ${paymentId}`
}
