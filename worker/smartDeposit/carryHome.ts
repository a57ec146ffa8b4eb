import type { TransactionSql } from 'postgres'
import type { Hex } from 'viem'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { listDeposits } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import { recordDepositEvents, recordReverted } from './recordDepositEvents.ts'
import { writeRetained } from './writeRetained.ts'

const REMOVED = 'its Transit order was removed: the owner of the stations owes what it has not paid'

/** The state of a deposit that follows from the payments of its order. */
type Home = Pick<
  KeeperDeposit,
  | 'status'
  | 'remediation'
  | 'error'
  | 'mintedAmount'
  | 'homeAmount'
  | 'homeTxHash'
  | 'homeBlockHash'
>

/**
 * Brings a deposit that was sent on by an order to the state of the order's payments on the vault's chain. Either chain's keeper calls
 * it with each change of its own part. Without the deposit nothing happens: its keeper calls it again once it knows the order.
 */
export async function carryHome(sql: TransactionSql, keeper: Keeper, orderId: Hex): Promise<void> {
  // Two keepers may come at once.
  await sql`select from app.smart_deposit where order_id = ${orderId} order by deposit_id for update`
  const origin = (await listDeposits(sql, sql`d.order_id = ${orderId}`)).toSorted(byAttempt).at(-1)
  if (!origin || origin.status === 'reverted') return
  const arrivals = newestAttempts(await listDeposits(sql, sql`d.continues = ${orderId}`))
  const waiting = arrivals.find(({ status }) => status === 'retrying')
  const home = homeOf(origin, arrivals)
  const isSame =
    origin.homeTxHash === home.homeTxHash &&
    origin.homeBlockHash === home.homeBlockHash &&
    origin.mintedAmount === home.mintedAmount
  if (isEnded(origin) && !isSame)
    await recordReverted(sql, keeper, { deposit: origin, kinds: ['confirmed', 'failed'] })
  if (!isEnded(origin) || !isSame) {
    const settleReverts = origin.settleReverts + (isEnded(origin) ? 1 : 0)
    const moved = { ...origin, ...home, settleReverts }
    await write(sql, moved)
    const isWaiting = waiting !== undefined && moved.status === 'converting'
    const why = waiting?.error ?? 'it is tried again'
    const reason = moved.reason ?? undefined
    const retained = isWaiting
      ? await writeRetained(sql, keeper, { deposit: moved, why, reason })
      : null
    await recordDepositEvents(sql, keeper, [retained ?? moved])
  }
}

/**
 * The deposit ends when all that its order pays has come, and each part of it is settled. Until then it is open. A removed order pays no more than it had
 * paid (`endRemoved`), which may be nothing.
 */
function homeOf(origin: KeeperDeposit, arrivals: readonly KeeperDeposit[]): Home {
  const homeAmount = arrivals.reduce((sum, { receivedAmount }) => sum + receivedAmount, 0n)
  const isAllThere = origin.orderAmount !== null && homeAmount >= origin.orderAmount
  const isRemoved = origin.reason === 'ORDER_REMOVED'
  const last = arrivals.toSorted(bySettlement).at(-1)
  if (!isAllThere || !(last || isRemoved) || !arrivals.every(isEnded))
    return {
      status: origin.status === 'retrying' ? 'retrying' : 'converting',
      remediation: null,
      error: origin.status === 'retrying' ? origin.error : null,
      mintedAmount: null,
      homeAmount,
      homeTxHash: null,
      homeBlockHash: null,
    }
  const failed = arrivals.find(({ status }) => status === 'failed')
  const minted = arrivals.reduce((sum, { mintedAmount }) => sum + (mintedAmount ?? 0n), 0n)
  const end = {
    mintedAmount: minted > 0n ? minted : null,
    homeAmount,
    homeTxHash: last?.settleTxHash ?? null,
    homeBlockHash: last?.settleBlock?.hash ?? null,
  }
  if (isRemoved) return { ...end, status: 'failed', remediation: 'retained', error: REMOVED }
  return {
    ...end,
    status: failed ? 'failed' : 'confirmed',
    remediation: failed?.remediation ?? null,
    error: failed?.error ?? null,
  }
}

/** Whether it is settled on the vault's chain. A retained one is not. */
function isEnded({ status, remediation }: KeeperDeposit): boolean {
  const isFailed = status === 'failed' && remediation !== 'retained'
  return status === 'confirmed' || status === 'finalized' || isFailed
}

async function write(sql: TransactionSql, deposit: KeeperDeposit) {
  const { status, remediation, error, mintedAmount, homeAmount } = deposit
  await sql`
    update app.smart_deposit set status = ${status}, remediation = ${remediation}, error = ${error},
      minted_amount = ${mintedAmount?.toString() ?? null}, home_amount = ${String(homeAmount)},
      home_tx_hash = ${deposit.homeTxHash}, home_block_hash = ${deposit.homeBlockHash},
      settle_reverts = ${deposit.settleReverts}, is_final = false, updated_at = now()
    where deposit_id = ${deposit.depositId}`
}

function newestAttempts(deposits: readonly KeeperDeposit[]): KeeperDeposit[] {
  const newest = new Map(
    deposits.toSorted(byAttempt).map((deposit) => [deposit.paymentId, deposit]),
  )
  return [...newest.values()].filter(({ status }) => status !== 'reverted')
}

function byAttempt(one: KeeperDeposit, other: KeeperDeposit): number {
  return one.attempt - other.attempt
}

function bySettlement(one: KeeperDeposit, other: KeeperDeposit): number {
  return (one.settleBlock?.number ?? 0) - (other.settleBlock?.number ?? 0)
}
