import type { Fragment, ISql, PendingQuery, Row, TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { BlockId } from '../../domain/smartDeposit/keeperDeposit.ts'
import { blockOf } from './depositRows.ts'

type IntentKind = 'forward' | 'refund' | 'recover' | 'cancel'

/** A transaction that the keeper intends to send with one of its nonces. */
export type Intent = {
  chainId: number
  keeper: Address
  nonce: number
  kind: IntentKind
  paymentId: Hex
  /** Null for a foreign transfer. */
  depositId: Hex | null
  target: Address
  data: Hex
  gas: bigint
  why: string | null
  /** The words of a node that refuses its transaction for good; null while none does. */
  refusal: string | null
  minedBlock: BlockId | null
}

export type NewIntent = Omit<Intent, 'refusal' | 'minedBlock'>

/** wei per gas. */
export type Fees = { maxFee: bigint; priorityFee: bigint }

/** One signed transaction for an intent's nonce. */
export type SignedTransaction = Fees & {
  hash: Hex
  kind: IntentKind
  raw: Hex
  signedAt: Date
  sentAt: Date | null
}

type IntentRow = Omit<Intent, 'nonce' | 'gas' | 'minedBlock'> & {
  nonce: bigint
  gas: bigint
  minedBlockNumber: bigint | null
  minedBlockHash: Hex | null
}

/** Intents in the order of their nonces; `where` is over the table. */
export async function listIntents(sql: ISql, where: PendingQuery<Row[]>): Promise<Intent[]> {
  const rows = await sql<IntentRow[]>`
    select chain_id as "chainId", keeper, nonce, kind, payment_id as "paymentId",
      deposit_id as "depositId", target, data, gas, why, refusal,
      mined_block_number as "minedBlockNumber", mined_block_hash as "minedBlockHash"
    from app.keeper_intent where ${where} order by nonce`
  return rows.map(({ minedBlockNumber, minedBlockHash, ...row }) => ({
    ...row,
    nonce: Number(row.nonce),
    minedBlock: blockOf(minedBlockNumber, minedBlockHash),
  }))
}

/** Matches the row of an intent, or the rows of its transactions. */
export function isOf(
  sql: ISql,
  { chainId, keeper, nonce }: Pick<Intent, 'chainId' | 'keeper' | 'nonce'>,
): Fragment {
  return sql`chain_id = ${chainId} and keeper = ${keeper} and nonce = ${nonce}`
}

/** All signed transactions of an intent, the newest first. */
export async function listTransactions(sql: ISql, intent: Intent): Promise<SignedTransaction[]> {
  const rows = await sql<(Omit<SignedTransaction, keyof Fees> & Record<keyof Fees, string>)[]>`
    select hash, kind, raw, max_fee as "maxFee", priority_fee as "priorityFee",
      signed_at as "signedAt", sent_at as "sentAt"
    from app.keeper_transaction
    where ${isOf(sql, intent)}
    order by max_fee desc`
  return rows.map((row) => ({
    ...row,
    maxFee: BigInt(row.maxFee),
    priorityFee: BigInt(row.priorityFee),
  }))
}

export async function insertIntent(sql: TransactionSql, intent: NewIntent): Promise<void> {
  const { chainId, keeper, nonce, kind, paymentId, depositId, target, data, gas, why } = intent
  await sql`
    insert into app.keeper_intent (chain_id, keeper, nonce, kind, payment_id, deposit_id, target,
      data, gas, why, state)
    values (${chainId}, ${keeper}, ${nonce}, ${kind}, ${paymentId}, ${depositId}, ${target},
      ${data}, ${String(gas)}, ${why}, 'open')`
}

export async function insertTransaction(
  sql: TransactionSql,
  { chainId, keeper, nonce }: Pick<Intent, 'chainId' | 'keeper' | 'nonce'>,
  { hash, kind, raw, maxFee, priorityFee }: Omit<SignedTransaction, 'signedAt' | 'sentAt'>,
): Promise<void> {
  await sql`
    insert into app.keeper_transaction (hash, chain_id, keeper, nonce, kind, raw, max_fee,
      priority_fee)
    values (${hash}, ${chainId}, ${keeper}, ${nonce}, ${kind}, ${raw}, ${String(maxFee)},
      ${String(priorityFee)})
    on conflict (hash) do nothing`
}
