import type { Hex } from 'viem'
import { observe } from '../../domain/observation/observe.ts'
import { carryHome } from './carryHome.ts'
import { listDeposits } from './depositRows.ts'
import type { Keeper } from './keeper.ts'
import { runApart } from './runApart.ts'

/** Orders of one pass: each is a look into the index. */
const MOST_LOOKED_AT = 100
/** From a conversion to the first look at its order. The pause between two looks is as long as the order has taken, within limits. */
const PAUSE = { least: '1 minute', most: '10 minutes' }

/**
 * Ends the deposits of this chain whose Transit orders can never pay them any more. No contract returns the money of a removed order: what the
 * owner of the stations sends to the address instead is a payment by itself. An end cannot be taken back, so the removal must be final.
 */
export async function endRemoved(keeper: Keeper): Promise<void> {
  const { sql, chain } = keeper
  const due = await listDeposits(
    sql,
    sql`d.deposit_id in (
      select deposit_id from app.smart_deposit
      where chain_id = ${chain.id} and status in ('converting', 'retrying') and not is_final
        and order_id is not null and reason is null
        and coalesce(retry_at, updated_at + ${PAUSE.least}::interval) <= now()
      order by coalesce(retry_at, updated_at) limit ${MOST_LOOKED_AT})`,
  )
  await runApart(keeper, {
    items: due.flatMap(({ depositId, orderId }) => (orderId ? [{ depositId, orderId }] : [])),
    nameOf: ({ orderId }) => `order ${orderId}`,
    run: (one) => endIfRemoved(keeper, one),
  })
}

type Sent = { depositId: Hex; orderId: Hex }

async function endIfRemoved(keeper: Keeper, { depositId, orderId }: Sent) {
  const { service, lease, chain, logger } = keeper
  const { order } = await service.readOrder(orderId)
  if (order?.status !== 'REMOVED' || !order.finalized) {
    await lease.write(
      (sql) => sql`
        update app.smart_deposit
        set retry_at = now() + least(greatest(now() - updated_at, ${PAUSE.least}::interval),
          ${PAUSE.most}::interval)
        where deposit_id = ${depositId}`,
    )
    return
  }
  logger.warn({ chainId: chain.id, depositId, orderId }, 'the order of a payment was removed')
  observe({ kind: 'smartDeposit', chainId: chain.id, outcome: 'retained' })
  const paid = order.executions.reduce((sum, { amount }) => sum + amount, 0n)
  await lease.write(async (sql) => {
    await sql`
      update app.smart_deposit
      set reason = 'ORDER_REMOVED', order_amount = ${String(paid)}, retry_at = null
      where deposit_id = ${depositId}`
    await carryHome(sql, keeper, orderId)
  })
}
