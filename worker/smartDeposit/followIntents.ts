import type { TransactionSql } from 'postgres'
import type { Address, TransactionReceipt } from 'viem'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { blockOfReceipt, type Head, readTransactionReceipt, settledIn } from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import { endSettled } from './endSettled.ts'
import { endForeign } from './foreignTransfers.ts'
import {
  type Fees,
  type Intent,
  isOf,
  listIntents,
  listTransactions,
  type Part,
  type SignedTransaction,
} from './intents.ts'
import { hasGas } from './keeperGas.ts'
import { retainDeposit } from './retainDeposit.ts'
import { runApart } from './runApart.ts'
import { broadcast, keeperAddress, readFees, replace, type SigningKeeper } from './sendIntents.ts'
import { releaseCollected } from './smallPayments.ts'

/** A pending transaction is sent again so often, in case nodes have lost it. */
const RESEND_MS = 10_000
/** Nodes accept a replacement only if both fees are a tenth higher. */
const LEAST_RAISE = { numerator: 11n, denominator: 10n }
const RAISE = { numerator: 5n, denominator: 4n }
const CANCEL_GAS = 100_000n
/** Reverted forwards of one deposit before it is retained. */
const MOST_TRIES = 3

/** Checks every transaction that is not known to be mined, and resends, replaces or cancels it. */
export async function followIntents(keeper: SigningKeeper, head: Head): Promise<void> {
  const { sql, chain, service } = keeper
  const address = keeperAddress(keeper)
  const open = await listIntents(
    sql,
    sql`chain_id = ${chain.id} and keeper = ${address} and state = 'open'`,
  )
  if (open.length === 0) return
  const counted = await service.chains.read(chain.id, (client) =>
    client.getTransactionCount({ address, blockTag: 'latest' }),
  )
  await runApart(keeper, {
    items: open,
    nameOf: ({ nonce }) => `nonce ${nonce}`,
    async run(intent) {
      const transactions = await listTransactions(sql, intent)
      if (intent.nonce < counted) return settleNonce(keeper, { intent, transactions, head })
      return push(keeper, { intent, transactions, head, isNext: intent === open[0] })
    },
  })
}

type Followed = { intent: Intent; transactions: SignedTransaction[]; head: Head }

/** A transaction with this nonce is mined: any of those that were signed for it, or another. */
async function settleNonce(keeper: SigningKeeper, { intent, transactions, head }: Followed) {
  for (const transaction of transactions) {
    const receipt = await readTransactionReceipt(keeper, transaction.hash)
    // A block above this pass's head was not compared yet: the next pass handles it.
    if (receipt && receipt.blockNumber > BigInt(head.number)) return
    if (receipt) return conclude(keeper, { intent, transaction, receipt })
  }
  // A node can lack the receipt of a mined transaction for minutes.
  const signedAt = transactions[0]?.signedAt.getTime() ?? 0
  if (Date.now() - signedAt < keeper.settings.lostMs) return
  if (!(await isUsedForGood(keeper, intent, head))) return
  keeper.logger.error(
    { chainId: intent.chainId, nonce: intent.nonce },
    'a nonce of the keeper was used by somebody else: its key is not for the keeper alone',
  )
  await keeper.lease.write(async (sql) => {
    await sql`
      update app.keeper_intent set state = 'lost'
      where ${isOf(sql, intent)}`
    for (const { paymentId } of intent.parts) await releaseCollected(sql, paymentId)
  })
}

async function isUsedForGood({ chain, service }: SigningKeeper, intent: Intent, head: Head) {
  const blockNumber = BigInt(Math.max(head.number - chain.finalityDepth, 0))
  const counted = await service.chains.read(chain.id, (client) =>
    client.getTransactionCount({ address: intent.keeper, blockNumber }),
  )
  return intent.nonce < counted
}

type Mined = { intent: Intent; transaction: SignedTransaction; receipt: TransactionReceipt }

/** Records a mined transaction and its consequences. */
async function conclude(keeper: SigningKeeper, { intent, transaction, receipt }: Mined) {
  const block = blockOfReceipt(receipt)
  const isCancelled = receipt.to?.toLowerCase() !== intent.target
  const refusal = isCancelled ? refusalOf(intent) : null
  const isSpent = !isCancelled && receipt.status === 'success'
  await keeper.lease.write(async (sql) => {
    await sql`
      update app.keeper_intent set state = 'mined', mined_hash = ${receipt.transactionHash},
        mined_block_number = ${block.number}, mined_block_hash = ${block.hash},
        cost_wei = ${String(costOf(transaction, receipt) + (isSpent ? intent.value : 0n))}
      where ${isOf(sql, intent)}`
    for (const part of intent.parts)
      await concludePart({ keeper, sql, part, factory: intent.target, receipt, refusal })
  })
}

/** Ends what a mined transaction did with one of its payments. */
async function concludePart(concluded: Omit<Concluded, 'deposit'> & { factory: Address }) {
  const { sql, part } = concluded
  const { depositId, paymentId } = part
  if (depositId === null) return endForeign(sql, concluded)
  const deposits = await listDeposits(
    sql,
    sql`d.deposit_id = ${depositId} or d.collected_as = ${paymentId}`,
  )
  for (const deposit of deposits) await concludeDeposit({ ...concluded, deposit })
  await releaseCollected(sql, paymentId)
}

/** wei. Some nodes leave the price out of a receipt: then it is the most that the transaction can have cost. */
function costOf(
  { maxFee }: SignedTransaction,
  {
    gasUsed,
    effectiveGasPrice,
  }: Pick<TransactionReceipt, 'gasUsed'> & { effectiveGasPrice: bigint | null },
): bigint {
  return gasUsed * (effectiveGasPrice ?? maxFee)
}

type Concluded = {
  keeper: SigningKeeper
  sql: TransactionSql
  part: Part
  receipt: TransactionReceipt
  deposit: KeeperDeposit
  /** Why it was cancelled; null if it was not, or for a payment that is gone. */
  refusal: string | null
}

async function concludeDeposit(concluded: Concluded) {
  const { keeper, sql, part, receipt, deposit, refusal } = concluded
  const settled = settledIn(receipt, { ...deposit, paymentId: part.paymentId })
  const isOpen = deposit.status === 'pending' || deposit.status === 'retrying'
  if (settled && isOpen) {
    const { transactionHash: txHash } = receipt
    const settlement = { ...settled, txHash, block: blockOfReceipt(receipt), why: part.why }
    return endSettled(sql, keeper, { deposit, settlement })
  }
  if (settled)
    return keeper.logger.error(
      { depositId: deposit.depositId, status: deposit.status, hash: receipt.transactionHash },
      'a deposit that is not open was settled on chain',
    )
  if (!isOpen) return
  if (receipt.to?.toLowerCase() !== deposit.factory)
    return refusal ? retainDeposit(sql, keeper, { deposit, why: refusal }) : undefined
  const why = 'the chain reverted the transaction'
  // A forward or conversion is prepared again from the chain; a refund or recovery would be the same again.
  if (isReturn(part) || deposit.tries + 1 >= MOST_TRIES)
    return retainDeposit(sql, keeper, { deposit, why })
  await sql`
    update app.smart_deposit set tries = tries + 1, updated_at = now()
    where deposit_id = ${deposit.depositId}`
}

function isReturn({ kind }: Part): boolean {
  return kind === 'refund' || kind === 'recover'
}

/** Resends, replaces or cancels a transaction that is not mined. */
async function push(keeper: SigningKeeper, followed: Followed & { isNext: boolean }) {
  const { intent, transactions, head, isNext } = followed
  const [newest] = transactions
  if (!newest) return
  const before = { maxFee: newest.maxFee, priorityFee: newest.priorityFee }
  const now = Date.now()
  // Only the lowest nonce can be stuck: the others wait for it.
  const isStuck = isNext && now - newest.signedAt.getTime() >= keeper.settings.stuckMs
  const isToCancel =
    intent.kind !== 'cancel' &&
    ((isStuck && intent.refusal !== null) ||
      isExpired(intent, head) ||
      (await isVoid(keeper, intent)))
  const kind = isToCancel ? 'cancel' : intent.kind
  const gas = isToCancel ? CANCEL_GAS : intent.gas
  const value = isToCancel ? 0n : intent.value
  const fees = isToCancel || isStuck ? await raisedFees(keeper, before, head) : null
  // Nodes refuse a replacement that costs more than the keeper has, and the one before it may still be mined.
  if (fees && (await hasGas(keeper, { gas, value, fees, insteadOf: intent.nonce })))
    return replace(keeper, intent, { kind, gas, fees })
  if (now - (newest.sentAt?.getTime() ?? 0) >= RESEND_MS) await broadcast(keeper, intent, newest)
}

/** Whether the chain would revert its call by now. Its payment then gets another quote. */
function isExpired({ expiresAt }: Intent, { timestamp }: Head): boolean {
  return expiresAt !== null && BigInt(expiresAt.getTime()) < timestamp * 1_000n
}

/** Why the nodes refuse it for good. All later transactions wait for its nonce. */
function refusalOf({ refusal }: Intent): string | null {
  return refusal && `the nodes refuse its transaction: ${refusal}`
}

/** Whether a payment to settle is no longer on the chain. The other payments of its transaction are then sent again. */
async function isVoid({ sql }: SigningKeeper, { parts }: Intent): Promise<boolean> {
  const ofDeposits = parts.filter(({ depositId }) => depositId !== null)
  const [row] = await sql`
    select 1 from app.smart_deposit
    where status = 'reverted'
      and (deposit_id = any(${ofDeposits.map(({ depositId }) => depositId)}::text[])
        or collected_as = any(${ofDeposits.map(({ paymentId }) => paymentId)}::text[])) limit 1`
  return row !== undefined
}

/** Fees for a replacement, up to the ceiling; null while no node would take so little. */
async function raisedFees(keeper: SigningKeeper, before: Fees, head: Head): Promise<Fees | null> {
  const now = await readFees(keeper, head)
  if (!now) return null
  const ceiling = BigInt(keeper.ceilings.maxFeePerGas)
  const { maxFee, priorityFee } = raised(before, now)
  const most = (fee: bigint) => (fee < ceiling ? fee : ceiling)
  const fees = { maxFee: most(maxFee), priorityFee: most(priorityFee) }
  const isEnough = (fee: bigint, old: bigint) =>
    fee * LEAST_RAISE.denominator >= old * LEAST_RAISE.numerator
  return isEnough(fees.maxFee, before.maxFee) && isEnough(fees.priorityFee, before.priorityFee)
    ? fees
    : null
}

function raised(before: Fees, now: Fees): Fees {
  const more = (fee: bigint, other: bigint) => {
    const least = (fee * RAISE.numerator) / RAISE.denominator + 1n
    return least > other ? least : other
  }
  return {
    maxFee: more(before.maxFee, now.maxFee),
    priorityFee: more(before.priorityFee, now.priorityFee),
  }
}
