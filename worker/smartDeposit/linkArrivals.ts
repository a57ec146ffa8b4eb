import type { Fragment, ISql } from 'postgres'
import type { Hex } from 'viem'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { listDeposits } from './depositRows.ts'
import { isUnderWay } from './intents.ts'
import type { Keeper } from './keeper.ts'
import { reportDeposit } from './reportDeposit.ts'
import { runApart } from './runApart.ts'

/** Payments of one pass: each may be a look into the index. */
const MOST_LOOKED_AT = 100

/**
 * Matches payments `d` of orders that became of no known deposit. They are not finalized, so each pass looks at those alone that
 * came lately, however many orders there were.
 */
export function isUnlinked(sql: ISql): Fragment {
  return sql`(d.continues is not null and not d.is_final and d.status <> 'reverted'
    and not exists (select from app.smart_deposit o where o.order_id = d.continues))`
}

/**
 * Finds out who made the orders that paid addresses of generation B. A user's own order is a payment like any other, and is reported as
 * one. An order of the keeper goes on with the deposit that it came from. Where nobody knows that deposit, because a database was lost,
 * the payment is reported by itself after a while. All of them are settled meanwhile.
 */
export async function linkArrivals(keeper: Keeper): Promise<void> {
  const { sql, chain } = keeper
  const unknown = await listDeposits(
    sql,
    sql`d.chain_id = ${chain.id} and ${isUnlinked(sql)}`,
    MOST_LOOKED_AT,
  )
  const orders = Map.groupBy(unknown, ({ continues }) => continues)
  await runApart(keeper, {
    items: orders,
    nameOf: ([orderId]) => `order ${orderId}`,
    async run([orderId, payments]) {
      if (orderId !== null && (await isOnItsOwn(keeper, orderId, payments)))
        await release(keeper, payments)
    },
  })
}

async function isOnItsOwn(
  { sql, service, settings }: Keeper,
  orderId: Hex,
  [payment]: readonly KeeperDeposit[],
): Promise<boolean> {
  if (!payment) return false
  const { order } = await service.readOrder(orderId)
  if (order?.user && order.user !== payment.address) return true
  const waited = Date.now() - payment.createdAt.getTime()
  if (waited <= (order?.user ? settings.lostMs : settings.patienceMs)) return false
  // The keeper of another chain may not have followed the transaction that made the order.
  const [sentOn] = await sql`
    select from app.smart_deposit d
    where d.address_chain_id = ${payment.addressChainId} and d.address = ${payment.address}
      and d.payment_id <> ${payment.paymentId} and d.order_id is null
      and ${isUnderWay(sql, sql`d.payment_id`)} limit 1`
  return sentOn === undefined
}

/** All attempts to settle them are reported from now on. */
async function release(keeper: Keeper, payments: readonly KeeperDeposit[]) {
  await keeper.lease.write(async (sql) => {
    for (const payment of payments) {
      await sql`
        update app.smart_deposit set continues = null, updated_at = now()
        where deposit_id = ${payment.depositId}`
      await reportDeposit(sql, keeper, { ...payment, continues: null })
    }
  })
}
