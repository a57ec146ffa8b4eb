import type { Address } from 'viem'
import { observe } from '../../domain/observation/observe.ts'
import type { Head } from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import { isDue } from './dueDeposits.ts'
import type { Hold, Keeper } from './keeper.ts'
import type { Spending } from './keeperSpending.ts'
import { recordKeeper } from './recordKeeper.ts'
import { retainDeposit } from './retainDeposit.ts'

/** Deposits that one pass retains because of a hold: a crowd of them does not stop it. */
const MOST_RETAINED = 100

const WHY: Record<Hold, string> = {
  fee: "the chain's base fee is above the keeper's ceiling",
  budget: "the keeper's budget for this hour is used up",
}

/** Returns why the keeper must send nothing at this moment; null if it may. */
export function holdOf(
  { ceilings }: Keeper,
  { baseFeePerGas }: Head,
  spending: Spending,
): Hold | null {
  if (spending.isOver()) return 'budget'
  return (baseFeePerGas ?? 0n) > BigInt(ceilings.maxFeePerGas) ? 'fee' : null
}

/** Reports and records that the keeper pauses, and why, or that it resumes. */
export async function reportHold(keeper: Keeper, hold: Hold | null): Promise<void> {
  const { chain, memory, logger } = keeper
  observe({ kind: 'keeperHold', chainId: chain.id, hold })
  if (hold === memory.hold) return
  logger.warn(
    { chainId: chain.id, why: hold && WHY[hold] },
    hold ? 'the keeper pauses' : 'the keeper resumes',
  )
  memory.hold = hold
  await recordKeeper(keeper)
}

/**
 * Retains deposits that a hold, or the use of their address, has kept waiting for long. They are due again soon,
 * whatever their number of tries: they go on when the hold ends.
 */
export async function retainHeld(
  keeper: Keeper,
  { hold, addresses }: { hold: Hold | null; addresses: readonly Address[] },
): Promise<void> {
  if (hold === null && addresses.length === 0) return
  const { sql, lease, settings } = keeper
  const waiting = await listDeposits(
    sql,
    sql`${isDue(keeper)} and d.status = 'pending'
      and d.created_at <= now() - make_interval(secs => ${settings.patienceMs / 1_000})
      and (${hold !== null} or d.address = any(${addresses}::text[]))`,
    MOST_RETAINED,
  )
  const why = hold ? WHY[hold] : "this address has used up its part of the keeper's hour"
  for (const deposit of waiting)
    await lease.write((sql) => retainDeposit(sql, keeper, { deposit, why }))
}
