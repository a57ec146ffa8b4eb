import type { TransactionSql } from 'postgres'
import type { TransactionReceipt } from 'viem'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { blockOfReceipt, type Head, readTransactionReceipt, settledIn } from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import { endSettled, retainDeposit } from './endDeposit.ts'
import { endForeign } from './foreignTransfers.ts'
import {
  type Fees,
  type Intent,
  isOf,
  listIntents,
  listTransactions,
  type SignedTransaction,
} from './intents.ts'
import { broadcast, keeperAddress, readFees, replace, type SigningKeeper } from './sendIntents.ts'

/** Sent again to nodes that may have lost it. */
const RESEND_MS = 10_000
/** Nodes replace a transaction only by one that pays a tenth more, of both fees. */
const RAISE = { numerator: 5n, denominator: 4n }
const CANCEL_GAS = 100_000n
/** On chain; more than so often the next one will not fare better. */
const MOST_TRIES = 3

/** Finds out what became of every transaction that is not known to be mined, and sees that it will be. */
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
  for (const [index, intent] of open.entries()) {
    const transactions = await listTransactions(sql, intent)
    if (intent.nonce < counted) await settleNonce(keeper, { intent, transactions, head })
    else await push(keeper, { intent, transactions, head, isNext: index === 0 })
  }
}

type Followed = { intent: Intent; transactions: SignedTransaction[]; head: Head }

/** Something with this nonce is mined: any of what was signed for it. */
async function settleNonce(keeper: SigningKeeper, { intent, transactions, head }: Followed) {
  for (const { hash } of transactions) {
    const receipt = await readTransactionReceipt(keeper, hash)
    // What is above the head that this pass compared with the chain is for the next one.
    if (receipt && receipt.blockNumber > BigInt(head.number)) return
    if (receipt) return conclude(keeper, intent, receipt)
  }
  if (!(await isUsedForGood(keeper, intent, head))) return
  keeper.logger.error(
    { chainId: intent.chainId, nonce: intent.nonce },
    'a nonce of the keeper was used by somebody else: its key is not for the keeper alone',
  )
  await keeper.lease.write(
    (sql) => sql`
    update app.keeper_intent set state = 'lost'
    where ${isOf(sql, intent)}`,
  )
}

async function isUsedForGood({ chain, service }: SigningKeeper, intent: Intent, head: Head) {
  const blockNumber = BigInt(Math.max(head.number - chain.finalityDepth, 0))
  const counted = await service.chains.read(chain.id, (client) =>
    client.getTransactionCount({ address: intent.keeper, blockNumber }),
  )
  return intent.nonce < counted
}

/** Writes down what a mined transaction did, with all that follows from it. */
async function conclude(keeper: SigningKeeper, intent: Intent, receipt: TransactionReceipt) {
  const block = blockOfReceipt(receipt)
  await keeper.lease.write(async (sql) => {
    await sql`
      update app.keeper_intent set state = 'mined', mined_hash = ${receipt.transactionHash},
        mined_block_number = ${block.number}, mined_block_hash = ${block.hash}
      where ${isOf(sql, intent)}`
    if (intent.depositId === null) return endForeign(sql, intent, receipt)
    const [deposit] = await listDeposits(sql, sql`d.deposit_id = ${intent.depositId}`)
    if (deposit) await concludeDeposit({ keeper, sql, intent, receipt, deposit })
  })
}

type Concluded = {
  keeper: SigningKeeper
  sql: TransactionSql
  intent: Intent
  receipt: TransactionReceipt
  deposit: KeeperDeposit
}

async function concludeDeposit({ keeper, sql, intent, receipt, deposit }: Concluded) {
  const settled = settledIn(receipt, deposit)
  const isOpen = deposit.status === 'pending' || deposit.status === 'retrying'
  if (settled && isOpen) {
    const { transactionHash: txHash } = receipt
    const settlement = { ...settled, txHash, block: blockOfReceipt(receipt), why: intent.why }
    return endSettled(sql, keeper, { deposit, settlement })
  }
  if (settled)
    return keeper.logger.error(
      { depositId: deposit.depositId, status: deposit.status, hash: receipt.transactionHash },
      'settled on chain, though the deposit is not open',
    )
  if (!isOpen || receipt.to?.toLowerCase() !== deposit.factory) return
  const why = 'the chain reverted the transaction'
  // What could have been prepared for it is read anew; what goes back has nothing to be prepared anew.
  if (intent.kind !== 'forward' || deposit.tries + 1 >= MOST_TRIES)
    return retainDeposit(sql, keeper, { deposit, why })
  await sql`
    update app.smart_deposit set tries = tries + 1, updated_at = now()
    where deposit_id = ${deposit.depositId}`
}

/** Sends again, pays more, or takes back what is not mined. */
async function push(keeper: SigningKeeper, followed: Followed & { isNext: boolean }) {
  const { intent, transactions, head, isNext } = followed
  const [newest] = transactions
  if (!newest) return
  const before = { maxFee: newest.maxFee, priorityFee: newest.priorityFee }
  if (intent.kind !== 'cancel' && (await isVoid(keeper, intent))) {
    const fees = raised(before, await readFees(keeper, head))
    return replace(keeper, intent, { kind: 'cancel', gas: CANCEL_GAS, fees })
  }
  const now = Date.now()
  // Those behind one that is stuck wait for it alone.
  if (isNext && now - newest.signedAt.getTime() >= keeper.settings.stuckMs) {
    const fees = raised(before, await readFees(keeper, head))
    const gas = intent.kind === 'cancel' ? CANCEL_GAS : intent.gas
    return replace(keeper, intent, { kind: intent.kind, gas, fees })
  }
  if (now - (newest.sentAt?.getTime() ?? 0) >= RESEND_MS) await broadcast(keeper, newest)
}

/** What was to be settled is not on the chain any more. */
async function isVoid({ sql }: SigningKeeper, { depositId }: Intent): Promise<boolean> {
  if (depositId === null) return false
  const [row] = await sql`
    select 1 from app.smart_deposit where deposit_id = ${depositId} and status = 'reverted'`
  return row !== undefined
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
