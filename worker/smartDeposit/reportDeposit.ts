import type { TransactionSql } from 'postgres'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { carryHome } from './carryHome.ts'
import type { Keeper } from './keeper.ts'
import { recordDepositEvents } from './recordDepositEvents.ts'

/**
 * Records what a deposit's state means to its organizations. A payment of the keeper's own order has no events: its state is part
 * of the deposit that the order goes on with.
 */
export async function reportDeposit(
  sql: TransactionSql,
  keeper: Keeper,
  deposit: KeeperDeposit,
): Promise<void> {
  if (deposit.continues === null) await recordDepositEvents(sql, keeper, deposit)
  const orderId = deposit.continues ?? deposit.orderId
  if (orderId !== null) await carryHome(sql, keeper, orderId)
}
