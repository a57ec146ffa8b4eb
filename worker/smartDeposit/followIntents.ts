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
import type { Keeper } from './keeper.ts'
import { hasGas } from './keeperGas.ts'
import { reportDeposits } from './reportDeposit.ts'
import { runApart, runTogether } from './runApart.ts'
import { broadcast, readFees, replace } from './sendIntents.ts'
import { keeperAddress, type SigningKeeper, signingKeepers } from './signingKeepers.ts'
import { releaseCollected } from './smallPayments.ts'
import { writeRetained } from './writeRetained.ts'

/** A pending transaction is sent again so often, in case nodes have lost it. */
const RESEND_MS = 10_000
/** Nodes accept a replacement only if both fees are a tenth higher. */
const LEAST_RAISE = { numerator: 11n, denominator: 10n }
const RAISE = { numerator: 5n, denominator: 4n }
const CANCEL_GAS = 100_000n
/** Reverted forwards of one deposit before it is retained. */
const MOST_TRIES = 3

/**
 * Checks every transaction that is not known to be mined, and resends, replaces or cancels it. Those of a key that this worker
 * does not have any more are resent, and replaced by nobody.
 */
export async function followIntents(keeper: Keeper, head: Head): Promise<void> {
  const { sql, chain } = keeper
  const open = await listIntents(sql, sql`chain_id = ${chain.id} and state = 'open'`)
  const signers = new Map(signingKeepers(keeper).map((one) => [keeperAddress(one), one]))
  await runTogether(keeper, {
    items: Map.groupBy(open, ({ keeper: account }) => account),
    nameOf: ([account]) => account,
    run: ([account, intents]) =>
      followAccount(keeper, { intents, account, signer: signers.get(account) ?? null, head }),
  })
}

type OfAccount = {
  account: Address
  /** Its open ones, by their nonces. */
  intents: Intent[]
  /** Null without its key. */
  signer: SigningKeeper | null
  head: Head
}

async function followAccount(keeper: Keeper, { account, intents, signer, head }: OfAccount) {
  const { sql, chain, service } = keeper
  const counted = await service.chains.read(chain.id, (client) =>
    client.getTransactionCount({ address: account, blockTag: 'latest' }),
  )
  await runApart(keeper, {
    items: intents,
    nameOf: ({ nonce }) => `nonce ${nonce}`,
    async run(intent) {
      const transactions = await listTransactions(sql, intent)
      if (intent.nonce < counted) return settleNonce(keeper, { intent, transactions, head })
      return push(keeper, { intent, transactions, head, signer, isNext: intent === intents[0] })
    },
  })
}

type Followed = { intent: Intent; transactions: SignedTransaction[]; head: Head }

/** A transaction with this nonce is mined: any of those that were signed for it, or another. */
async function settleNonce(keeper: Keeper, { intent, transactions, head }: Followed) {
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

async function isUsedForGood({ chain, service }: Keeper, intent: Intent, head: Head) {
  const blockNumber = BigInt(Math.max(head.number - chain.finalityDepth, 0))
  const counted = await service.chains.read(chain.id, (client) =>
    client.getTransactionCount({ address: intent.keeper, blockNumber }),
  )
  return intent.nonce < counted
}

type Mined = { intent: Intent; transaction: SignedTransaction; receipt: TransactionReceipt }

/** Records a mined transaction and its consequences. */
async function conclude(keeper: Keeper, { intent, transaction, receipt }: Mined) {
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
    const ended: KeeperDeposit[] = []
    for (const part of intent.parts)
      ended.push(
        ...(await concludePart({ keeper, sql, part, factory: intent.target, receipt, refusal })),
      )
    // Together, because events lock their organizations: one after another, two transactions could wait for each other.
    await reportDeposits(sql, keeper, ended)
  })
}

/** Writes what a mined transaction did with one of its payments. Returns the deposits that ended by it. */
async function concludePart(
  concluded: Omit<Concluded, 'deposit'> & { factory: Address },
): Promise<KeeperDeposit[]> {
  const { sql, part } = concluded
  const { depositId, paymentId } = part
  if (depositId === null) {
    await endForeign(sql, concluded)
    return []
  }
  const deposits = await listDeposits(
    sql,
    sql`d.deposit_id = ${depositId} or d.collected_as = ${paymentId}`,
  )
  const ended: KeeperDeposit[] = []
  for (const deposit of deposits) {
    const state = await concludeDeposit({ ...concluded, deposit })
    if (state) ended.push(state)
  }
  await releaseCollected(sql, paymentId)
  return ended
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
  keeper: Keeper
  sql: TransactionSql
  part: Part
  receipt: TransactionReceipt
  deposit: KeeperDeposit
  /** Why it was cancelled; null if it was not, or for a payment that is gone. */
  refusal: string | null
}

/** Null for a deposit that does not end by it. */
async function concludeDeposit(concluded: Concluded): Promise<KeeperDeposit | null> {
  const { keeper, sql, part, receipt, deposit, refusal } = concluded
  const settled = settledIn(receipt, { ...deposit, paymentId: part.paymentId })
  const isOpen = deposit.status === 'pending' || deposit.status === 'retrying'
  if (settled && isOpen) {
    const { transactionHash: txHash } = receipt
    const settlement = { ...settled, txHash, block: blockOfReceipt(receipt), why: part.why }
    return endSettled(sql, keeper, { deposit, settlement })
  }
  if (settled)
    keeper.logger.error(
      { depositId: deposit.depositId, status: deposit.status, hash: receipt.transactionHash },
      'a deposit that is not open was settled on chain',
    )
  if (settled || !isOpen) return null
  if (receipt.to?.toLowerCase() !== deposit.factory)
    return refusal ? writeRetained(sql, keeper, { deposit, why: refusal }) : null
  const why = 'the chain reverted the transaction'
  // A forward or conversion is prepared again from the chain; a refund or recovery would be the same again.
  if (isReturn(part) || deposit.tries + 1 >= MOST_TRIES)
    return writeRetained(sql, keeper, { deposit, why })
  await sql`
    update app.smart_deposit set tries = tries + 1, updated_at = now()
    where deposit_id = ${deposit.depositId}`
  return null
}

function isReturn({ kind }: Part): boolean {
  return kind === 'refund' || kind === 'recover'
}

type Pushed = Followed & { signer: SigningKeeper | null; isNext: boolean }

/** Resends, replaces or cancels a transaction that is not mined. */
async function push(keeper: Keeper, pushed: Pushed) {
  const { intent, transactions, signer, isNext } = pushed
  const [newest] = transactions
  if (!newest) return
  const now = Date.now()
  // Only the lowest nonce can be stuck: the others wait for it.
  const isStuck = isNext && now - newest.signedAt.getTime() >= keeper.settings.stuckMs
  if (signer && (await replaceIfNeeded(signer, pushed, { newest, isStuck }))) return
  if (now - (newest.sentAt?.getTime() ?? 0) < RESEND_MS) return
  if (!signer && isStuck)
    keeper.logger.warn(
      { chainId: intent.chainId, keeper: intent.keeper, nonce: intent.nonce },
      'a transaction of a key that this worker does not have is not mined: only with that key can it be replaced',
    )
  await broadcast(keeper, intent, newest)
}

/** Replaces or cancels a transaction; false if it needs neither, or if no node would take the replacement. */
async function replaceIfNeeded(
  keeper: SigningKeeper,
  { intent, head }: Followed,
  { newest, isStuck }: { newest: SignedTransaction; isStuck: boolean },
): Promise<boolean> {
  const before = { maxFee: newest.maxFee, priorityFee: newest.priorityFee }
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
  if (!fees || !(await hasGas(keeper, { gas, value, fees, insteadOf: intent.nonce }))) return false
  await replace(keeper, intent, { kind, gas, fees })
  return true
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
async function isVoid({ sql }: Keeper, { parts }: Intent): Promise<boolean> {
  const ofDeposits = parts.filter(({ depositId }) => depositId !== null)
  const [row] = await sql`
    select 1 from app.smart_deposit
    where status = 'reverted'
      and (deposit_id = any(${ofDeposits.map(({ depositId }) => depositId)}::text[])
        or collected_as = any(${ofDeposits.map(({ paymentId }) => paymentId)}::text[])) limit 1`
  return row !== undefined
}

/** Fees for a replacement, up to the ceiling; null while no node would take so little. */
async function raisedFees(keeper: Keeper, before: Fees, head: Head): Promise<Fees | null> {
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
