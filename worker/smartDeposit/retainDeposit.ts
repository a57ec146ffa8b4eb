import type { TransactionSql } from 'postgres'
import type { Keeper } from './keeper.ts'
import { reportDeposit } from './reportDeposit.ts'
import { type Retained, unscreened, writeRetained } from './writeRetained.ts'

/** Retains a deposit until a later try, and reports it. */
export async function retainDeposit(
  sql: TransactionSql,
  keeper: Keeper,
  retained: Retained,
): Promise<void> {
  const failed = await writeRetained(sql, keeper, retained)
  if (failed) await reportDeposit(sql, keeper, failed)
}

/**
 * Waits while a deposit cannot be decided, and retains it once that has lasted. It is looked at again after as long as it
 * has waited already: until then others have its turn.
 */
export async function waitOrRetain(
  sql: TransactionSql,
  keeper: Keeper,
  { deposit, why, isUnscreened = false, reason }: Omit<Retained, 'isSmall' | 'isLasting'>,
): Promise<void> {
  const { patienceMs } = keeper.settings
  const now = Date.now()
  const since = deposit.failingSince?.getTime() ?? now
  const waited = now - since
  if (waited >= patienceMs)
    return retainDeposit(sql, keeper, { deposit, why, isUnscreened, reason })
  const pauseMs = Math.min(waited, patienceMs - waited)
  await sql`
    update app.smart_deposit
    set failing_since = coalesce(failing_since, ${new Date(since)}), updated_at = now(),
      retry_at = now() + make_interval(secs => ${pauseMs / 1_000}),
      unscreened_since = ${unscreened(sql, isUnscreened)}
    where deposit_id = ${deposit.depositId}`
}
