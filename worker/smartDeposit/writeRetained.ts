import type { TransactionSql } from 'postgres'
import { observe } from '../../domain/observation/observe.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { depositIdOf } from '../../domain/smartDeposit/paymentId.ts'
import type { Remediation, RetainedReason } from '../../domain/smartDeposit/smartDeposit.ts'
import type { Keeper } from './keeper.ts'
import { storableText } from './storableText.ts'

const MOST_DOUBLINGS = 7

/** What is retained, and why. */
export type Retained = {
  deposit: KeeperDeposit
  why: string
  /** Whether it is to be settled together with others of its address. */
  isSmall?: boolean | undefined
  /** Whether it waits for the answer of the provider that screens its payer. */
  isUnscreened?: boolean | undefined
  /** Why, for programs. */
  reason?: RetainedReason | undefined
  /** No time makes it due again: only another address book, or an operator. */
  isLasting?: boolean | undefined
}

/**
 * Writes that a deposit is retained until a later try. A pending one ends as retained, is returned as such, and gets a new attempt, which
 * records no event until it ends. Such an attempt only waits longer: then null is returned.
 */
export async function writeRetained(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, why: words, isSmall = deposit.isSmall, isUnscreened = false, ...rest }: Retained,
): Promise<KeeperDeposit | null> {
  const { chainId, depositId, paymentId, attempt, tries } = deposit
  const why = storableText(words)
  const { reason = null, isLasting = false } = rest
  const { retryMs } = keeper.settings
  const retryAt = (waitMs: number) =>
    isLasting ? sql`null::timestamptz` : sql`now() + make_interval(secs => ${waitMs / 1_000})`
  keeper.logger.warn({ chainId, depositId, attempt, why }, 'a smart deposit is retained')
  // An order that came after the deposit was read is not put off.
  const isNews = sql`(refund_ordered_at is not null and not ${deposit.isRefundOrdered}::boolean
    or is_ordered and not ${deposit.isOrdered}::boolean)`
  if (deposit.status === 'retrying') {
    const waitMs = retryMs * 2 ** Math.min(tries + 1, MOST_DOUBLINGS)
    await sql`
      update app.smart_deposit set tries = tries + 1, error = ${why}, failing_since = null,
        reason = ${reason}, is_small = ${isSmall} and not ${isNews},
        unscreened_since = ${unscreened(sql, isUnscreened)},
        retry_at = case when ${isNews} then now() else ${retryAt(waitMs)} end, updated_at = now()
      where deposit_id = ${depositId}`
    return null
  }
  const remediation: Remediation = 'retained'
  // Anybody can send a worthless token: nobody is to be called for it.
  const outcome = isSmall ? 'small' : isLasting ? 'not_accepted' : remediation
  observe({ kind: 'smartDeposit', chainId, outcome })
  await sql`
    update app.smart_deposit set status = 'failed', remediation = ${remediation}, error = ${why},
      reason = ${reason}, retry_at = null, failing_since = null, updated_at = now()
    where deposit_id = ${depositId}`
  await sql`
    insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, address, token, payment_id,
      attempt, received_amount, payment_tx_hash, payment_log_position, payment_block_number,
      payment_block_hash, status, error, reason, retry_at, depositor_address, is_small, is_ordered,
      refund_ordered_at, continues, order_id, order_amount, home_amount, settle_tx_hash,
      settle_block_number, settle_block_hash, unscreened_since)
    select ${depositIdOf(paymentId, attempt + 1)}, chain_id, address_chain_id, address, token,
      payment_id, attempt + 1, received_amount, payment_tx_hash, payment_log_position, payment_block_number,
      payment_block_hash, 'retrying', ${why}, ${reason},
      ${retryAt(retryMs)}, depositor_address, ${isSmall}, is_ordered,
      refund_ordered_at, continues, order_id, order_amount, home_amount, settle_tx_hash,
      settle_block_number, settle_block_hash,
      ${unscreened(sql, isUnscreened)}
    from app.smart_deposit where deposit_id = ${depositId}`
  return { ...deposit, status: 'failed', remediation, error: why, reason }
}

/** Since when its payer could not be screened. */
export function unscreened(sql: TransactionSql, isUnscreened: boolean) {
  return isUnscreened ? sql`coalesce(unscreened_since, now())` : sql`null::timestamptz`
}
