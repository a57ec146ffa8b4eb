import { connect } from '../db/sql.ts'
import { seededSchema } from './seedBuilds.ts'

/** A user to whose smart deposit addresses orders pay, and these orders. */
export type JourneyUser = { user: string; orderIds: string[] }

const USERS = 100
/** Four pages. */
const MOST_ORDERS = 100

/**
 * Makes the busiest receivers of orders to a chain into smart deposit addresses of this organization, each of a user of the same
 * address, with a confirmed deposit for each payment. Returns the users.
 */
export async function seedJourneys(
  databaseUrl: string,
  { organizationId, chainId }: { organizationId: string; chainId: number },
): Promise<JourneyUser[]> {
  const sql = connect(databaseUrl, { applicationName: 'bench-seed', max: 1 })
  const orders = sql(`${seededSchema(chainId)}.transit_destination`)
  try {
    const users = await sql<JourneyUser[]>`
      select receiver as user, array_agg(order_id) as "orderIds" from ${orders}
      where receiver is not null group by receiver
      having count(*) <= ${MOST_ORDERS} order by count(*) desc, receiver limit ${USERS}`
    const receivers = users.map(({ user }) => user)
    await sql`
      insert into app.smart_deposit_address
        (chain_id, address, factory, user_destination_address, vault_address, input_token)
      select ${chainId}, receiver, min(want_asset), receiver, min(want_asset), min(want_asset) from ${orders}
      where receiver = any(${receivers}) group by receiver`
    await sql`
      insert into app.smart_deposit_registration (organization_id, chain_id, address)
      select ${organizationId}, ${chainId}, address from unnest(${receivers}::text[]) address`
    await sql`
      insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, token, address, payment_id, attempt, received_amount, status,
        minted_amount, payment_tx_hash, payment_log_position, payment_block_number, payment_block_hash,
        settle_tx_hash, settle_block_hash)
      select id, ${chainId}, ${chainId}, token, receiver, id, 1, amount, 'confirmed', amount, hash, place, block, hash, hash, hash
      from (
        select o.receiver, o.want_asset as token, (e ->> 'amount')::numeric as amount, e ->> 'transactionHash' as hash,
          (e ->> 'logIndex')::int as place, (e ->> 'blockNumber')::bigint as block,
          '0x' || encode(sha256((o.order_id || (e ->> 'logIndex') || (e ->> 'transactionHash'))::bytea), 'hex') as id
        from ${orders} o cross join json_array_elements(o.executions) e where o.receiver = any(${receivers})
      ) paid`
    await sql`
      insert into app.event (id, organization_id, organization_sequence, resource, resource_sequence, type, created_at, body)
      select 'evt_' || n || d.deposit_id, ${organizationId}, row_number() over (), 'smart_deposit:' || d.deposit_id, n,
        'smart_deposit.deposit.' || case n when 1 then 'pending' else 'confirmed' end, now(),
        json_build_object('timestamp', now(), 'receipt_tx_hash', d.payment_tx_hash, 'forward_tx_hash', d.settle_tx_hash)
      from app.smart_deposit d cross join generate_series(1, 2) n`
    await sql`analyze app.smart_deposit, app.event, app.smart_deposit_address, app.smart_deposit_registration`
    return [...users]
  } finally {
    await sql.end()
  }
}
