import type { Sql } from 'postgres'
import type { Address, Hex } from 'viem'
import { isUnpaidConversion } from '../health/keeperStates.ts'

/** A payment whose Transit order has not paid all of it for an hour. */
export type UnpaidConversion = {
  depositId: Hex
  chainId: number
  address: Address
  token: Address
  /** Base units of the token. */
  amount: string
  orderId: Hex
  since: Date
}

/** All payments whose orders are late, the oldest first. */
export function listUnpaidConversions(sql: Sql): Promise<UnpaidConversion[]> {
  return sql<UnpaidConversion[]>`
    select deposit_id as "depositId", chain_id as "chainId", address, token,
      received_amount as amount, order_id as "orderId", updated_at as since
    from app.smart_deposit where ${isUnpaidConversion(sql)} order by updated_at, deposit_id`
}
