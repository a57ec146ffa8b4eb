import type { TransactionSql } from 'postgres'
import { observe } from '../../domain/observation/observe.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { depositIdOf } from '../../domain/smartDeposit/paymentId.ts'
import type { Remediation } from '../../domain/smartDeposit/smartDeposit.ts'
import type { Keeper } from './keeper.ts'
import { recordDepositEvents } from './recordDepositEvents.ts'
import { storableText } from './storableText.ts'

const MOST_DOUBLINGS = 7

type Retained = {
  deposit: KeeperDeposit
  why: string
  /** Whether it is to be settled together with others of its address. */
  isSmall?: boolean | undefined
}

/**
 * Retains a deposit until a later try. A pending one ends as retained and gets a new attempt, which records
 * no event until it ends; such an attempt only waits longer.
 */
export async function retainDeposit(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, why: words, isSmall = deposit.isSmall }: Retained,
): Promise<void> {
  const { chainId, depositId, paymentId, attempt, tries } = deposit
  const why = storableText(words)
  const { retryMs } = keeper.settings
  keeper.logger.warn({ chainId, depositId, attempt, why }, 'a smart deposit is retained')
  if (deposit.status === 'retrying') {
    const waitMs = retryMs * 2 ** Math.min(tries + 1, MOST_DOUBLINGS)
    await sql`
      update app.smart_deposit set tries = tries + 1, error = ${why}, failing_since = null,
        is_small = ${isSmall},
        retry_at = now() + make_interval(secs => ${waitMs / 1_000}), updated_at = now()
      where deposit_id = ${depositId}`
    return
  }
  const remediation: Remediation = 'retained'
  observe({ kind: 'smartDeposit', chainId, outcome: isSmall ? 'small' : remediation })
  await sql`
    update app.smart_deposit set status = 'failed', remediation = ${remediation}, error = ${why},
      retry_at = null, failing_since = null, updated_at = now()
    where deposit_id = ${depositId}`
  await sql`
    insert into app.smart_deposit (deposit_id, chain_id, address, payment_id, attempt,
      received_amount, payment_tx_hash, payment_log_position, payment_block_number,
      payment_block_hash, status, error, retry_at, depositor_address, is_small, is_ordered)
    select ${depositIdOf(paymentId, attempt + 1)}, chain_id, address, payment_id, attempt + 1,
      received_amount, payment_tx_hash, payment_log_position, payment_block_number,
      payment_block_hash, 'retrying', ${why},
      now() + make_interval(secs => ${retryMs / 1_000}), depositor_address, ${isSmall}, is_ordered
    from app.smart_deposit where deposit_id = ${depositId}`
  await recordDepositEvents(sql, keeper, { ...deposit, status: 'failed', remediation, error: why })
}

/** Waits while a deposit cannot be decided, and retains it once that has lasted. */
export async function waitOrRetain(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, why }: { deposit: KeeperDeposit; why: string },
): Promise<void> {
  const since = deposit.failingSince?.getTime() ?? Date.now()
  if (Date.now() - since >= keeper.settings.patienceMs)
    return retainDeposit(sql, keeper, { deposit, why })
  await sql`
    update app.smart_deposit
    set failing_since = coalesce(failing_since, ${new Date(since)}), updated_at = now()
    where deposit_id = ${deposit.depositId}`
}
