import type { ISql, Sql } from 'postgres'
import type { AddressBook } from '../addressBook/addressBook.ts'

/** How the keeper of a chain gets on. */
export type KeeperState = {
  chainId: number
  /** Since its last pass in which nothing failed. Null if no worker has ever kept the chain. */
  lagSeconds: number | null
  /** The steps that failed in its last pass. */
  failing: string[]
  /** Transfers whose position in their transaction no node shows. */
  unplacedTransferCount: number
  /** Addresses that hold more than their known payments explain. */
  unexplainedBalanceCount: number
  /** Payments that wait because the provider that screens payers gives no answer. */
  unscreenedPaymentCount: number
  /** Payments whose Transit orders have not paid all of them for an hour. */
  unpaidConversionCount: number
}

/** The condition on rows of `app.smart_deposit` whose order is late. It is paid within minutes, so an hour is long on every route. */
export const isUnpaidConversion = (sql: ISql) =>
  sql`status = 'converting' and updated_at < now() - interval '1 hour'`

/** The state of the keeper of every chain with smart deposits. */
export function listKeeperStates({
  sql,
  addressBook,
}: {
  sql: Sql
  addressBook: AddressBook
}): Promise<KeeperState[]> {
  const kept = addressBook.chains.filter(({ smartDeposit }) => smartDeposit)
  return sql<KeeperState[]>`
    select c.id as "chainId", extract(epoch from now() - k.passed_at)::float as "lagSeconds",
      coalesce(k.failing, '{}') as failing,
      (select count(*)::integer from app.unplaced_transfer u
        where u.chain_id = c.id) as "unplacedTransferCount",
      (select count(*)::integer from app.unexplained_balance b
        where b.chain_id = c.id) as "unexplainedBalanceCount",
      (select count(*)::integer from app.smart_deposit d
        where d.chain_id = c.id and d.unscreened_since is not null
          and d.status in ('pending', 'retrying')) as "unscreenedPaymentCount",
      (select count(*)::integer from app.smart_deposit
        where chain_id = c.id and ${isUnpaidConversion(sql)}) as "unpaidConversionCount"
    from unnest(${kept.map(({ id }) => id)}::integer[]) c (id)
    left join app.keeper_chain k on k.chain_id = c.id
    order by c.id`
}
