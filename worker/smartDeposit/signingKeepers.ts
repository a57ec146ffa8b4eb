import type { Fragment } from 'postgres'
import type { Address, LocalAccount } from 'viem'
import type { Keeper } from './keeper.ts'

/** The keeper with one of its keys, which settles the payments of a part of the addresses. */
export type SigningKeeper = Keeper & {
  account: LocalAccount
  /** The place of the key among the keeper's. */
  place: number
}

/** One per key. */
export function signingKeepers(keeper: Keeper): SigningKeeper[] {
  return keeper.accounts.map((account, place) => ({ ...keeper, account, place }))
}

export function keeperAddress({ account }: SigningKeeper): Address {
  return account.address.toLowerCase() as Address
}

/**
 * Whether a smart deposit address belongs to this key; `address` is a column. Each address belongs to one key. It is a hash itself,
 * so its last digits divide the addresses evenly.
 */
export function isOfKey({ sql, accounts, place }: SigningKeeper, address: Fragment): Fragment {
  return sql`('x' || right(${address}, 6))::bit(24)::integer % ${accounts.length} = ${place}`
}
