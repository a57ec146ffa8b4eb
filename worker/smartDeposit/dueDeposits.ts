import type { Fragment } from 'postgres'
import type { Address, Hex } from 'viem'
import type { FactoryGeneration } from '../../abis/smartDeposit.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { listDeposits } from './depositRows.ts'
import { isUnderWay } from './intents.ts'
import type { Keeper } from './keeper.ts'
import { isOfKey, type SigningKeeper } from './signingKeepers.ts'

/** Open settlements of one address at once: its crowd leaves room for the others. */
const MOST_OPEN_OF_ADDRESS = 4

/** Matches deposits `d` of vaults on chains of the address book: nobody could say what the others are worth, or settle them. */
export function isServed({ sql, service }: Keeper): Fragment {
  const served = service.addressBook.chains.map(({ id }) => id)
  return sql`d.address_chain_id = any(${served}::integer[])`
}

/** Matches deposits `d` that are pending or due for another try, large enough, and have no open transaction, alone or with others. */
export function isDue(keeper: Keeper): Fragment {
  const { sql, chain } = keeper
  return sql`
    d.chain_id = ${chain.id} and d.status in ('pending', 'retrying') and not d.is_final
    and ${isServed(keeper)}
    and not d.is_small and d.collected_as is null and d.order_id is null
    and (d.refund_ordered_at is not null or not ${isBelowMinimum(keeper)})
    and (d.retry_at is null and d.reason is null or d.retry_at <= now())
    and not ${isUnderWay(sql, sql`d.payment_id`)}`
}

/** Matches deposits `d` of less than the minimum of their token. */
export function isBelowMinimum(keeper: Keeper): Fragment {
  const { sql } = keeper
  return sql`
    exists (
      select 1 from app.smart_deposit_address a join ${minimums(keeper)} on m.token = a.input_token
      where a.chain_id = d.address_chain_id and a.address = d.address and d.token = a.input_token
        and d.chain_id = d.address_chain_id and d.received_amount < m.least)`
}

/** The minimum of each token of the chain that has one, as `m`. */
export function minimums({ sql, chain, service }: Keeper): Fragment {
  const listed = service.addressBook.tokens.flatMap(({ chainId, address, smartDepositMinimum }) =>
    chainId === chain.id && smartDepositMinimum ? [{ address, least: smartDepositMinimum }] : [],
  )
  return sql`
    unnest(${listed.map(({ address }) => address)}::text[],
      ${listed.map(({ least }) => least)}::numeric[]) as m (token, least)`
}

export type Turns = {
  most: number
  /** Addresses that wait. */
  without: readonly Address[]
  /** Of the addresses' factories. */
  generation: FactoryGeneration
}

/**
 * Due deposits of a key by turns: the first one of each address before the second one of any. An open settlement is a
 * turn that its address has had.
 */
export async function listDue(
  keeper: SigningKeeper,
  { most, without, generation }: Turns,
): Promise<KeeperDeposit[]> {
  const { sql, chain } = keeper
  const rows = await sql<{ depositId: Hex }[]>`
    with due as (
      select d.*, row_number() over (
        partition by d.address order by d.payment_block_number, d.created_at, d.payment_log_position
      ) as place
      from app.smart_deposit d
      join app.smart_deposit_address a on a.chain_id = d.address_chain_id and a.address = d.address
      where ${isDue(keeper)} and ${isOfKey(keeper, sql`d.address`)}
        and a.generation = ${generation} and d.address <> all(${without}::text[])
    ), open as (
      select o.address, count(*) as count
      from app.keeper_intent i join app.keeper_part p using (chain_id, keeper, nonce)
      join app.smart_deposit o on o.deposit_id = p.deposit_id
      where i.chain_id = ${chain.id} and i.state = 'open' group by o.address
    )
    select d.deposit_id as "depositId"
    from due d left join open using (address)
    where d.place + coalesce(open.count, 0) <= ${MOST_OPEN_OF_ADDRESS}
    order by d.place + coalesce(open.count, 0), d.payment_block_number, d.created_at,
      d.payment_log_position
    limit ${most}`
  const ids = rows.map(({ depositId }) => depositId)
  const deposits = await listDeposits(sql, sql`d.deposit_id = any(${ids}::text[])`)
  return deposits.sort((a, b) => ids.indexOf(a.depositId) - ids.indexOf(b.depositId))
}
