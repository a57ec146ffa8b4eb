import type { ISql } from 'postgres'
import type { Address, Hex } from 'viem'

/**
 * The deposits of an hour in tokens that the address book does not name. Anybody can write such a token and fill a block with its
 * transfers, and each deposit is two events for its organizations. 12,000 of them held up a chain for two minutes.
 */
export const MOST_UNLISTED = { ofAddress: 20, ofChain: 500 }
const HOUR_MS = 3_600_000

/** The deposits in unlisted tokens that a keeper recorded since the hour began. */
export type UnlistedCount = {
  since: number
  /** A payment counts once, also if its transaction is repeated. */
  chosen: Set<Hex>
  ofAddress: Map<Address, number>
}

type Payment = { paymentId: Hex; transfer: { to: Address } }

/**
 * Chooses which of these payments in unlisted tokens are deposits, and returns their ids. The others become foreign transfers.
 * One that was recorded before stays what it is.
 */
export async function chooseDeposits(
  sql: ISql,
  memory: { unlisted: UnlistedCount },
  payments: readonly Payment[],
): Promise<Set<Hex>> {
  if (payments.length === 0) return new Set()
  const ids = payments.map(({ paymentId }) => paymentId)
  const known = await sql<{ paymentId: Hex; isDeposit: boolean }[]>`
    select payment_id as "paymentId", true as "isDeposit" from app.smart_deposit
    where payment_id = any(${ids}::text[]) and attempt = 1
    union all
    select payment_id, false from app.foreign_transfer where payment_id = any(${ids}::text[])`
  const recorded = new Map(known.map(({ paymentId, isDeposit }) => [paymentId, isDeposit]))
  if (performance.now() - memory.unlisted.since > HOUR_MS) memory.unlisted = noneUnlisted()
  const count = memory.unlisted
  const chosen = payments.filter(({ paymentId, transfer: { to } }) => {
    const isDeposit = recorded.get(paymentId)
    if (isDeposit !== undefined) return isDeposit
    if (count.chosen.has(paymentId)) return true
    const ofAddress = count.ofAddress.get(to) ?? 0
    if (count.chosen.size >= MOST_UNLISTED.ofChain || ofAddress >= MOST_UNLISTED.ofAddress)
      return false
    count.chosen.add(paymentId)
    count.ofAddress.set(to, ofAddress + 1)
    return true
  })
  return new Set(chosen.map(({ paymentId }) => paymentId))
}

export function noneUnlisted(): UnlistedCount {
  return { since: performance.now(), chosen: new Set(), ofAddress: new Map() }
}
