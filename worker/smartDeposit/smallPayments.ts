import type { TransactionSql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { listDeposits } from './depositRows.ts'
import { isBelowMinimum, isServed, minimums } from './dueDeposits.ts'
import { isUnderWay } from './intents.ts'
import type { Keeper } from './keeper.ts'
import { retainDeposit } from './retainDeposit.ts'
import { isOfKey, type SigningKeeper } from './signingKeepers.ts'

/** Payments that one pass sets aside: a crowd of them does not stop it. */
const MOST_SET_ASIDE = 100
/** Payments of one collection: each takes 32 bytes of its transaction. */
const MOST_COLLECTED = 100

const WHY = "below the token's minimum: it waits until its address has collected as much"

/**
 * Retains payments below the minimum of their token: they wait for others of their address. Those whose common settlement is gone
 * after a reorganization, and that are too little without the payments that went with it, are retained again.
 */
export async function setAsideSmall(keeper: Keeper): Promise<void> {
  const { sql, chain, lease } = keeper
  const found = await listDeposits(
    sql,
    sql`d.chain_id = ${chain.id} and d.status in ('pending', 'retrying') and not d.is_final
      and (not d.is_small or d.status = 'pending') and d.collected_as is null
      and d.refund_ordered_at is null and ${isBelowMinimum(keeper)}
      and not ${isUnderWay(sql, sql`d.payment_id`)}`,
    MOST_SET_ASIDE,
  )
  for (const deposit of found)
    await lease.write(async (sql) => {
      await retainDeposit(sql, keeper, { deposit, why: WHY, isSmall: true })
      // Only its address's next payments, or an operator, make it due.
      await sql`
        update app.smart_deposit set retry_at = null
        where payment_id = ${deposit.paymentId} and status = 'retrying'
          and refund_ordered_at is null and not is_ordered`
    })
}

/**
 * Small payments of one address that are settled together, the largest first: it is the lead. A crowd of tiny ones
 * cannot take the places of the others. Payments of refused payers are settled apart, and so are those that an organization
 * wants refunded. One of another token or chain than the address's is alone.
 */
export type Collection = { lead: KeeperDeposit; members: KeeperDeposit[]; total: bigint }

/**
 * The addresses of a key whose small payments are as much as the minimum of their token, or that an operator wants
 * settled or an organization refunded. After a failure the lead's next try decides when.
 */
export async function listCollections(
  keeper: SigningKeeper,
  { most, without }: { most: number; without: readonly Address[] },
): Promise<Collection[]> {
  const { sql, chain } = keeper
  // Another token's amounts are no part of the sum, and an order that pays the vault goes on with one payment.
  const alone = sql`
    case when d.chain_id <> d.address_chain_id or d.token <> a.input_token then d.payment_id end`
  const rows = await sql<{ ids: Hex[] }[]>`
    with small as (
      select d.*, ${alone} as alone, row_number() over (
        partition by d.address, ${alone}, d.payer_refusal is null, d.refund_ordered_at is null
        order by d.received_amount desc, d.payment_block_number, d.payment_tx_hash,
          d.payment_log_position
      ) as place
      from app.smart_deposit d
      join app.smart_deposit_address a on a.chain_id = d.address_chain_id and a.address = d.address
      where d.chain_id = ${chain.id} and d.status in ('pending', 'retrying') and d.is_small
        and ${isServed(keeper)}
        and ${isOfKey(keeper, sql`d.address`)}
        and not d.is_final and d.collected_as is null and d.address <> all(${without}::text[])
    )
    select array_agg(s.deposit_id order by s.place) as ids
    from small s left join ${minimums(keeper)} on m.token = s.token and s.alone is null
    where s.place <= ${MOST_COLLECTED}
    group by s.address, s.alone, s.payer_refusal is null, s.refund_ordered_at is null
    having (sum(s.received_amount) >= coalesce(max(m.least), 0) or bool_or(s.is_ordered)
        or bool_or(s.refund_ordered_at is not null))
      and coalesce(max(s.retry_at) filter (where s.place = 1), now()) <= now()
    order by min(s.payment_block_number) limit ${most}`
  return Promise.all(
    rows.map(async ({ ids }) => {
      const found = await listDeposits(sql, sql`d.deposit_id = any(${ids}::text[])`)
      const members = found.sort((a, b) => ids.indexOf(a.depositId) - ids.indexOf(b.depositId))
      const [lead] = members
      if (!lead) throw new Error('Invariant(listCollections): a listed deposit is missing')
      const total = members.reduce((sum, { receivedAmount }) => sum + receivedAmount, 0n)
      return { lead, members, total }
    }),
  )
}

/** Lets payments that were to be settled together be settled in another transaction. */
export async function releaseCollected(sql: TransactionSql, paymentId: Hex): Promise<void> {
  await sql`
    update app.smart_deposit set collected_as = null
    where collected_as = ${paymentId} and status in ('pending', 'retrying', 'reverted')`
}
