import type { Keeper } from './keeper.ts'

/**
 * Whether there is something to do on a chain without a new block: an address was registered, a transaction is open, or a try
 * is due by its time or by an order. One statement, where a pass has some thirty. All other work waits for the next pass.
 */
export async function hasWork({ sql, chain, watched }: Keeper): Promise<boolean> {
  const [row] = await sql<{ hasWork: boolean }[]>`
    select exists (
      select from app.smart_deposit_address
      where (chain_id = ${chain.id} or generation = 'B') and created_at > ${watched.readUntil()}
    ) or exists (
      select from app.keeper_intent where chain_id = ${chain.id} and state = 'open'
    ) or exists (
      select from app.smart_deposit
      where chain_id = ${chain.id} and status in ('pending', 'retrying') and not is_final
        -- A payment that an order has sent on waits for the vault's chain.
        and (not is_small or is_ordered) and order_id is null
        and (retry_at is null and reason is null or retry_at <= now())
    ) or exists (
      select from app.foreign_transfer
      where chain_id = ${chain.id} and wanted is not null and settle_tx_hash is null
        and (retry_at is null or retry_at <= now())
    ) as "hasWork"`
  return row?.hasWork === true
}
