import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import type { EventType } from '../../domain/webhook/eventTypes.ts'
import { recordEvents } from '../../domain/webhook/recordEvents.ts'

export type SmartDepositRecord = {
  deposit_id: Hex
  chain_id: number
  address: Address
  received_amount: string
  status: 'pending' | 'retrying' | 'converting' | 'confirmed' | 'finalized' | 'failed' | 'reverted'
  remediation: 'refunded' | 'recovered' | 'retained' | null
  error: string | null
  minted_amount: string | null
  settle_tx_hash: Hex | null
  settle_block_hash: Hex | null
}

/** 32 bytes that are unique per name. */
export function hashOf(name: string): Hex {
  return keccak256(toHex(name))
}

/** An address that is unique per name, lower case. */
export function addressNamed(name: string): Address {
  return `0x${hashOf(name).slice(-40)}`
}

export type StoredAddress = {
  chainId?: number
  address: Address
  user?: Address
  vault?: Address
  inputToken?: Address
  customerId?: string | null
}

/** A stored address, and the organizations that registered it; a customer is the first one's. */
export async function insertAddress(
  sql: Sql,
  organizationIds: string[],
  { chainId = 1, address, user, vault, inputToken, customerId = null }: StoredAddress,
): Promise<void> {
  await sql`
    insert into app.smart_deposit_address (chain_id, address, factory, user_destination_address,
      vault_address, input_token, customer_id, organization_id)
    values (${chainId}, ${address}, ${addressNamed('factory')},
      ${user ?? addressNamed(`user of ${address}`)}, ${vault ?? addressNamed('vault')},
      ${inputToken ?? addressNamed('token')}, ${customerId},
      ${customerId === null ? null : (organizationIds[0] ?? null)})`
  await sql`
    insert into app.smart_deposit_registration (organization_id, chain_id, address)
    select id, ${chainId}, ${address} from unnest(${organizationIds}::uuid[]) id`
}

/** A deposit as a worker records it after seeing the transfer. */
export async function insertDeposit(
  sql: Sql,
  given: Pick<SmartDepositRecord, 'deposit_id' | 'address'> & Partial<SmartDepositRecord>,
): Promise<SmartDepositRecord> {
  const row: SmartDepositRecord = {
    chain_id: 1,
    received_amount: '250000000',
    status: 'pending',
    remediation: null,
    error: null,
    minted_amount: null,
    settle_tx_hash: null,
    settle_block_hash: null,
    ...given,
  }
  const [place] = await sql<{ token: Address }[]>`
    select input_token as token from app.smart_deposit_address
    where chain_id = ${row.chain_id} and address = ${row.address}`
  await sql`
    insert into app.smart_deposit ${sql({
      ...row,
      payment_id: hashOf(`payment of ${row.deposit_id}`),
      attempt: 1,
      address_chain_id: row.chain_id,
      token: place?.token ?? addressNamed('token'),
      payment_tx_hash: paymentHash(row.deposit_id),
      payment_log_position: 0,
      payment_block_number: 7,
      payment_block_hash: hashOf('block 7'),
    })}`
  return row
}

function paymentHash(depositId: Hex): Hex {
  return hashOf(`transaction of ${depositId}`)
}

type DepositEvent = {
  organizationIds: string[]
  depositId: Hex
  type: Extract<EventType, `smart_deposit.${string}`>
  /** The deposit's state from now on. */
  changes?: Partial<SmartDepositRecord>
  fields?: Record<string, unknown>
}

/** Changes a deposit and records the event for organizations, in one transaction, as a worker does. */
export async function recordDepositEvent(
  sql: Sql,
  { organizationIds, depositId, type, changes, fields = {} }: DepositEvent,
): Promise<void> {
  await sql.begin(async (transaction) => {
    if (changes)
      await transaction`
        update app.smart_deposit set ${transaction(changes)}, updated_at = now()
        where deposit_id = ${depositId}`
    await recordEvents(
      transaction,
      organizationIds.map((organizationId) => ({
        organizationId,
        resource: `smart_deposit:${depositId}`,
        type,
        name: type,
        fields: {
          deposit_id: depositId,
          receipt_tx_hash: paymentHash(depositId),
          ...fields,
        },
      })),
    )
  })
}

/** Inserts the pending event of each of these deposits directly, which is fast for many. */
export async function insertPendingEvents(
  sql: Sql,
  organizationId: string,
  depositIds: Hex[],
): Promise<void> {
  const body = JSON.stringify({ timestamp: new Date(), receipt_tx_hash: hashOf('payment') })
  await sql`
    insert into app.event (id, organization_id, organization_sequence, resource,
      resource_sequence, type, created_at, body)
    select d.id, ${organizationId}, (select coalesce(max(organization_sequence), 0)
        from app.event where organization_id = ${organizationId}) + d.n,
      'smart_deposit:' || d.id, 1, 'smart_deposit.deposit.pending', now(), ${body}::text::json
    from unnest(${depositIds}::text[]) with ordinality d (id, n)`
}

/** A retained payment of a new address of these organizations, as a worker records it. Returns the id that they know. */
export async function insertRetained(sql: Sql, organizationIds: string[]): Promise<Hex> {
  const name = randomUUID()
  const address = addressNamed(name)
  await insertAddress(sql, organizationIds, { address })
  const depositId = hashOf(name)
  await insertDeposit(sql, { deposit_id: depositId, address })
  const of = { organizationIds, depositId }
  await recordDepositEvent(sql, { ...of, type: 'smart_deposit.deposit.pending' })
  await recordDepositEvent(sql, {
    ...of,
    type: 'smart_deposit.deposit.failed',
    changes: { status: 'failed', remediation: 'retained', error: 'the vault is paused' },
  })
  await sql`
    insert into app.smart_deposit (deposit_id, chain_id, address_chain_id, token, address, payment_id, attempt, received_amount,
      payment_tx_hash, payment_log_position, payment_block_number, payment_block_hash, status)
    select ${hashOf(`second of ${name}`)}, chain_id, address_chain_id, token, address, payment_id, 2, received_amount, payment_tx_hash,
      payment_log_position, payment_block_number, payment_block_hash, 'retrying'
    from app.smart_deposit where deposit_id = ${depositId}`
  return depositId
}
