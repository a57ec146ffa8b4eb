import type { TransactionSql } from 'postgres'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { carryHome } from './carryHome.ts'
import type { Keeper } from './keeper.ts'
import { recordDepositEvents } from './recordDepositEvents.ts'

/**
 * Records what the states of deposits mean to their organizations, in the order of the deposits. A payment of the keeper's own order has
 * no events: its state is part of the deposit that the order goes on with.
 */
export async function reportDeposits(
  sql: TransactionSql,
  keeper: Keeper,
  deposits: readonly KeeperDeposit[],
): Promise<void> {
  await recordDepositEvents(
    sql,
    keeper,
    deposits.filter(({ continues }) => continues === null),
  )
  for (const { continues, orderId: own } of deposits) {
    const orderId = continues ?? own
    if (orderId !== null) await carryHome(sql, keeper, orderId)
  }
}

export function reportDeposit(
  sql: TransactionSql,
  keeper: Keeper,
  deposit: KeeperDeposit,
): Promise<void> {
  return reportDeposits(sql, keeper, [deposit])
}
