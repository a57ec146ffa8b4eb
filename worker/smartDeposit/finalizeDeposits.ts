import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { type Head, readHash } from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import { isUnlinked } from './linkArrivals.ts'
import { reportDeposit } from './reportDeposit.ts'
import { runApart } from './runApart.ts'

/** Finalizes deposits and transactions that are `finalityDepth` blocks deep: they change no more. */
export async function finalizeDeposits(keeper: Keeper, head: Head): Promise<void> {
  const { sql, chain } = keeper
  const finalizedUpTo = head.number - chain.finalityDepth
  const settled = await listDeposits(
    sql,
    sql`d.chain_id = ${chain.id} and not d.is_final and d.settle_block_number <= ${finalizedUpTo}
      and d.status in ('confirmed', 'failed') and not ${isUnlinked(sql)}
      and (d.order_id is null or not exists (
        select from app.smart_deposit home
        where home.continues = d.order_id and not home.is_final and home.status <> 'reverted'))`,
  )
  await keeper.lease.write(async (sql) => {
    // A retained attempt is checked as long as the attempt after it.
    await sql`
      update app.smart_deposit d set is_final = true
      where d.chain_id = ${chain.id} and not d.is_final and d.payment_block_number <= ${finalizedUpTo}
        and (d.status = 'reverted' or d.remediation = 'retained') and not ${isUnlinked(sql)}`
    await sql`
      update app.keeper_intent set state = 'final'
      where chain_id = ${chain.id} and state = 'mined' and mined_block_number <= ${finalizedUpTo}`
  })
  await runApart(keeper, {
    items: settled,
    nameOf: ({ depositId }) => depositId,
    run: (deposit) => finalize(keeper, deposit),
  })
}

async function finalize(keeper: Keeper, deposit: KeeperDeposit) {
  const { settleBlock, depositId } = deposit
  if (!settleBlock || (await readHash(keeper, settleBlock.number)) !== settleBlock.hash) {
    // Makes the next pass compare all known deposits with the chain.
    keeper.memory.head = null
    keeper.memory.isToCompare = true
    return
  }
  await keeper.lease.write(async (sql) => {
    const status = deposit.status === 'confirmed' ? 'finalized' : deposit.status
    await sql`
      update app.smart_deposit set status = ${status}, is_final = true, updated_at = now()
      where deposit_id = ${depositId}`
    // Two keepers at once may each have missed the end of an order's payment: this is the last look.
    if (status === 'finalized' || deposit.continues !== null)
      await reportDeposit(sql, keeper, { ...deposit, status })
  })
}
