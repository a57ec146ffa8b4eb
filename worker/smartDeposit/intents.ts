import type { Fragment, ISql, PendingQuery, Row, TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { BlockId } from '../../domain/smartDeposit/keeperDeposit.ts'
import { blockOf } from './depositRows.ts'

/** `cancel`: an empty transaction takes the nonce. */
type IntentKind = 'settle' | 'cancel'

/** One payment that an intent settles. */
export type Part = {
  kind: 'forward' | 'convert' | 'refund' | 'recover'
  paymentId: Hex
  /** Null for a foreign transfer. */
  depositId: Hex | null
  /** The reason for a refund or recovery. */
  why: string | null
}

/** A transaction that the keeper intends to send with one of its nonces. */
export type Intent = {
  chainId: number
  keeper: Address
  nonce: number
  kind: IntentKind
  /** One, or several that the factory settles in one transaction, each by itself. */
  parts: Part[]
  target: Address
  data: Hex
  gas: bigint
  /** wei that its call takes with it. */
  value: bigint
  /** After it the chain would revert its call; null for no end. */
  expiresAt: Date | null
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

type IntentRow = Omit<Intent, 'nonce' | 'gas' | 'value' | 'minedBlock'> & {
  nonce: bigint
  gas: bigint
  value: string
  minedBlockNumber: bigint | null
  minedBlockHash: Hex | null
}

/** Intents in the order of their nonces; `where` is over the table. */
export async function listIntents(sql: ISql, where: PendingQuery<Row[]>): Promise<Intent[]> {
  const rows = await sql<IntentRow[]>`
    select chain_id as "chainId", keeper, nonce, kind, target, data, gas, value,
      expires_at as "expiresAt", refusal,
      mined_block_number as "minedBlockNumber", mined_block_hash as "minedBlockHash",
      (select json_agg(json_build_object('kind', p.kind, 'paymentId', p.payment_id,
          'depositId', p.deposit_id, 'why', p.why) order by p.payment_id)
        from app.keeper_part p
        where p.chain_id = i.chain_id and p.keeper = i.keeper and p.nonce = i.nonce) as parts
    from app.keeper_intent i where ${where} order by nonce`
  return rows.map(({ minedBlockNumber, minedBlockHash, ...row }) => ({
    ...row,
    nonce: Number(row.nonce),
    value: BigInt(row.value),
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

/** Whether a transaction that settles this payment is open; `paymentId` is a column. */
export function isUnderWay(sql: ISql, paymentId: Fragment): Fragment {
  return sql`
    exists (
      select from app.keeper_part p join app.keeper_intent i using (chain_id, keeper, nonce)
      where p.payment_id = ${paymentId} and i.state = 'open')`
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
  const { chainId, keeper, nonce, kind, parts, target, data, gas, value, expiresAt } = intent
  await sql`
    insert into app.keeper_intent (chain_id, keeper, nonce, kind, target, data, gas, value,
      expires_at, state)
    values (${chainId}, ${keeper}, ${nonce}, ${kind}, ${target}, ${data}, ${String(gas)},
      ${String(value)}, ${expiresAt}, 'open')`
  const column = (name: keyof Part) => parts.map((part) => part[name])
  await sql`
    insert into app.keeper_part (chain_id, keeper, nonce, kind, payment_id, deposit_id, why)
    select ${chainId}, ${keeper}, ${nonce}, kind, payment_id, deposit_id, why
    from unnest(${column('kind')}::text[], ${column('paymentId')}::text[],
      ${column('depositId')}::text[], ${column('why')}::text[])
      as new (kind, payment_id, deposit_id, why)`
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
