import type { Fragment, ISql, TransactionSql } from 'postgres'
import type { Hex, TransactionReceipt } from 'viem'
import {
  type BlockId,
  type KeeperDeposit,
  settledAs,
} from '../../domain/smartDeposit/keeperDeposit.ts'
import {
  blockOfReceipt,
  type Check,
  type Head,
  isTransferLog,
  readHash,
  readTransactionReceipt,
  type Settled,
  settledIn,
} from './chainReads.ts'
import { blockOf, listDeposits } from './depositRows.ts'
import { orderOf, partOfShares } from './endSettled.ts'
import { forgetGone } from './foreignTransfers.ts'
import { type Intent, isOf, listIntents } from './intents.ts'
import type { Keeper } from './keeper.ts'
import { recordReverted } from './recordDepositEvents.ts'
import { reportDeposit } from './reportDeposit.ts'
import { runApart } from './runApart.ts'

/**
 * After a reorganization, corrects deposits whose payments or settlements are gone or moved to another block.
 * Reverts only what the chain itself disproves: it has another block at that height, and no transaction
 * receipt, or one in another block.
 */
export async function reconcileReorg(keeper: Keeper, head: Head): Promise<void> {
  const { memory, sql, chain } = keeper
  const compared = memory.head ?? (memory.isToCompare ? null : await readCompared(keeper))
  if (!compared || !(await isStillThere(keeper, compared, head))) {
    const check = createCheck(keeper, head)
    // What was final at the last comparison is not looked at again: anybody can send payments that wait for long.
    const final = compared ? Math.min(compared.number, head.number) - chain.finalityDepth : -1
    const deposits = await listDeposits(
      sql,
      sql`d.chain_id = ${chain.id} and not d.is_final and d.status <> 'reverted'
        and greatest(d.payment_block_number, d.settle_block_number) > ${final}`,
    )
    const intents = await listIntents(sql, sql`chain_id = ${chain.id} and state = 'mined'`)
    const comparisons: Comparison[] = [
      ...deposits.map(
        (one): Comparison => [one.depositId, () => reconcileDeposit(keeper, one, check)],
      ),
      ...intents.map(
        (one): Comparison => [`nonce ${one.nonce}`, () => reconcileIntent(keeper, one, check)],
      ),
      ['foreign transfers', () => forgetGone(keeper, { head, check })],
    ]
    // One that fails is compared again: until then nothing is noted.
    await runApart(keeper, {
      items: comparisons,
      nameOf: ([name]) => name,
      run: ([, run]) => run(),
    })
    // The chain is shorter than it was. What lies above its head is compared once it has grown: until then nothing is noted.
    if (check.hasUnknown()) return
  }
  // Written before anything above it: the next keeper compares from here.
  if (compared?.hash !== head.hash) await writeCompared(keeper, head)
  keeper.memory.isToCompare = false
  keeper.memory.head = head
}

/** What is compared with the chain, by the name that the log shows. */
type Comparison = [name: string, run: () => Promise<unknown>]

async function readCompared({ sql, chain }: Keeper): Promise<BlockId | null> {
  const [row] = await sql<{ number: bigint | null; hash: Hex | null }[]>`
    select compared_number as number, compared_hash as hash from app.keeper_chain
    where chain_id = ${chain.id}`
  return row ? blockOf(row.number, row.hash) : null
}

async function writeCompared({ lease, chain }: Keeper, { number, hash }: BlockId): Promise<void> {
  await lease.write(
    (sql) => sql`
      update app.keeper_chain set compared_number = ${number}, compared_hash = ${hash}
      where chain_id = ${chain.id}`,
  )
}

async function isStillThere(keeper: Keeper, block: BlockId, head: Head): Promise<boolean> {
  if (block.number > head.number) return false
  return (await readHash(keeper, block.number)) === block.hash
}

function createCheck(keeper: Keeper, head: Head): Check & { hasUnknown(): boolean } {
  const hashes = new Map<number, ReturnType<typeof readHash>>()
  let hasUnknown = false
  const check: Check = async ({ number, hash }) => {
    if (number > head.number) {
      hasUnknown = true
      return 'unknown'
    }
    const read = hashes.get(number) ?? readHash(keeper, number)
    hashes.set(number, read)
    const now = await read
    if (now === null) return 'unknown'
    return now === hash ? 'there' : 'gone'
  }
  return Object.assign(check, { hasUnknown: () => hasUnknown })
}

async function reconcileDeposit(keeper: Keeper, deposit: KeeperDeposit, check: Check) {
  let current = deposit
  // A retained attempt has the order of the one after it.
  const isSettled = current.settleBlock !== null && current.remediation !== 'retained'
  if (isSettled && current.settleBlock && (await check(current.settleBlock)) === 'gone')
    current = await reconcileSettlement(keeper, current)
  if ((await check(current.paymentBlock)) === 'gone') await reconcilePayment(keeper, current)
}

/** Corrects a settlement that is gone or moved: in both cases the reported events are wrong. */
async function reconcileSettlement(keeper: Keeper, deposit: KeeperDeposit) {
  const { settleTxHash } = deposit
  const receipt = settleTxHash && (await readTransactionReceipt(keeper, settleTxHash))
  const paymentId = settledAs(deposit)
  const settled = receipt && settledIn(receipt, { ...deposit, paymentId })
  const moved: KeeperDeposit =
    receipt && settled
      ? {
          ...deposit,
          ...(await orderOf(keeper, deposit, settled)),
          settleBlock: blockOfReceipt(receipt),
          mintedAmount: mintedBy(settled, deposit),
          settleReverts: deposit.settleReverts + 1,
        }
      : {
          ...deposit,
          // The payments of its lost order stay with that order.
          ...NOT_HOME,
          status: deposit.status === 'retrying' ? 'retrying' : 'pending',
          remediation: null,
          error: null,
          mintedAmount: null,
          settleTxHash: null,
          settleBlock: null,
          settleReverts: deposit.settleReverts + 1,
        }
  await keeper.lease.write(async (sql) => {
    await recordReverted(sql, keeper, { deposit, kinds: ['confirmed', 'failed', 'converting'] })
    const { status, remediation, error, mintedAmount, settleBlock: block } = moved
    await sql`
      update app.smart_deposit set status = ${status}, remediation = ${remediation},
        error = ${error}, minted_amount = ${mintedAmount === null ? null : String(mintedAmount)},
        settle_tx_hash = ${moved.settleTxHash}, settle_block_number = ${block?.number ?? null},
        settle_block_hash = ${block?.hash ?? null}, settle_reverts = ${moved.settleReverts},
        order_id = ${moved.orderId}, order_amount = ${moved.orderAmount?.toString() ?? null},
        home_amount = ${moved.homeAmount?.toString() ?? null},
        home_tx_hash = ${moved.homeTxHash}, home_block_hash = ${moved.homeBlockHash},
        collected_as = case when ${block !== null} or ${isFollowed(sql)} then collected_as end,
        tries = 0, retry_at = null, updated_at = now()
      where deposit_id = ${deposit.depositId}`
    await reportDeposit(sql, keeper, moved)
  })
  return moved
}

/** Whether the common settlement of a deposit is a transaction of a keeper, which goes on: only an unknown one is forgotten. */
function isFollowed(sql: ISql): Fragment {
  return sql`exists (
    select from app.keeper_part p join app.keeper_intent i using (chain_id, keeper, nonce)
    where p.payment_id = collected_as and (i.state = 'open' or i.mined_hash = settle_tx_hash))`
}

const NOT_HOME = {
  orderId: null,
  orderAmount: null,
  homeAmount: null,
  homeTxHash: null,
  homeBlockHash: null,
}

/** The shares of a conversion come from what its order pays. */
function mintedBy(settled: Settled, deposit: KeeperDeposit): bigint | null {
  if (settled.how === 'Converted') return deposit.mintedAmount
  return settled.how === 'Forwarded' ? partOfShares(settled, deposit) : null
}

async function reconcilePayment(keeper: Keeper, deposit: KeeperDeposit) {
  const receipt = await readTransactionReceipt(keeper, deposit.paymentTxHash)
  const isThere = receipt !== null && hasTransfer(receipt, deposit)
  const paymentReverts = deposit.paymentReverts + 1
  await keeper.lease.write(async (sql) => {
    if (isThere) await movePayment(sql, keeper, { deposit, block: blockOfReceipt(receipt) })
    else {
      await recordReverted(sql, keeper, {
        deposit,
        kinds: ['confirmed', 'failed', 'converting', 'pending'],
      })
      await sql`
        update app.smart_deposit set status = 'reverted', remediation = null, error = null,
          retry_at = null, payment_reverts = ${paymentReverts}, updated_at = now()
        where deposit_id = ${deposit.depositId}`
      await reportDeposit(sql, keeper, { ...deposit, status: 'reverted' })
    }
  })
}

/** Moves a payment to its new block and reports it again, because each event names the block. */
async function movePayment(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, block }: { deposit: KeeperDeposit; block: BlockId },
) {
  const moved = { ...deposit, paymentBlock: block, paymentReverts: deposit.paymentReverts + 1 }
  await recordReverted(sql, keeper, {
    deposit,
    kinds: ['confirmed', 'failed', 'converting', 'pending'],
  })
  await sql`
    update app.smart_deposit set payment_block_number = ${block.number},
      payment_block_hash = ${block.hash}, payment_reverts = ${moved.paymentReverts},
      updated_at = now()
    where deposit_id = ${deposit.depositId}`
  await reportDeposit(sql, keeper, moved)
}

/** Whether the log at the deposit's position still pays the same amount. */
function hasTransfer({ logs }: TransactionReceipt, deposit: KeeperDeposit): boolean {
  const { token, address: to, receivedAmount: amount, paymentLogPosition } = deposit
  return isTransferLog(logs[paymentLogPosition], { token, to, amount })
}

/** Reopens an intent whose transaction is gone. */
async function reconcileIntent(keeper: Keeper, intent: Intent, check: Check) {
  if (!intent.minedBlock || (await check(intent.minedBlock)) !== 'gone') return
  await keeper.lease.write(async (sql) => {
    await sql`
      update app.keeper_intent set state = 'open', mined_hash = null,
        mined_block_number = null, mined_block_hash = null, cost_wei = null
      where ${isOf(sql, intent)}`
    // Sent again at once, because nodes may have dropped it.
    await sql`
      update app.keeper_transaction set sent_at = null
      where ${isOf(sql, intent)}`
  })
}
