import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { isUnpaidConversion } from '../health/keeperStates.ts'

/** A payment whose Transit order has not paid all of it for an hour, or never will. */
export type UnpaidConversion = {
  depositId: Hex
  chainId: number
  address: Address
  token: Address
  /** Base units of the token. */
  amount: string
  orderId: Hex
  /** Whether its order was removed. Nothing shows whether the owner of the stations has made it good. */
  isRemoved: boolean
  since: Date
}

/** All payments whose orders are late or were removed, the oldest first. */
export function listUnpaidConversions(sql: Sql): Promise<UnpaidConversion[]> {
  return sql<UnpaidConversion[]>`
    select deposit_id as "depositId", chain_id as "chainId", address, token,
      received_amount as amount, order_id as "orderId",
      reason is not null as "isRemoved", updated_at as since
    from app.smart_deposit
    where ${isUnpaidConversion(sql)} or status = 'failed' and reason = 'ORDER_REMOVED'
    order by updated_at, deposit_id`
}
