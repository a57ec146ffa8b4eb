import type { Fragment, Sql } from 'postgres'
import type { Address } from 'viem'
import { requirePermission } from '../access/requirePermission.ts'
import type { AcceptingAddress } from '../addressBook/acceptedPayments.ts'
import type { SharedContext } from '../context.ts'
import type { FilterKeys } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { pageOfRows } from '../page/pageOfRows.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'

/** An address that an organization registered. Addresses are lower case. */
export type RegisteredSmartDepositAddress = AcceptingAddress & {
  smartDepositAddress: Address
  userDestinationAddress: Address
  vaultAddress: Address
  customerId: string | null
  /** The organization that is part of the address; null if none is. */
  organizationId: string | null
  /** When the organization first registered it. */
  createdAt: Date
}

export type SmartDepositAddressPage = {
  smartDepositAddresses: RegisteredSmartDepositAddress[]
  nextPageToken: string | null
}

/** The keys of the list's filter. */
export const SMART_DEPOSIT_ADDRESS_FILTER_KEYS = {
  smartDepositAddress: { type: 'address' },
  userAddress: { type: 'address' },
  vaultAddress: { type: 'address' },
  inputToken: { type: 'address' },
  customerId: { type: 'string' },
  chainId: { type: 'integer' },
} as const satisfies FilterKeys

/** The end of a page: time of registration (Unix microseconds), chain and address. */
type Cursor = [registeredAt: string, chainId: number, address: string]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function smartDepositAddressQuery(
  context: Pick<SharedContext, 'appSecret' | 'caller'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, {
    list: 'smartDepositAddresses',
    keys: SMART_DEPOSIT_ADDRESS_FILTER_KEYS,
    params,
    bound: [context.caller?.organizationId ?? null],
  })
}

/** The addresses that the caller's organization registered, the newest first. Throws as `smartDepositAddressQuery`. */
export async function listSmartDepositAddresses(
  context: SmartDepositContext,
  params: ListParams,
): Promise<SmartDepositAddressPage> {
  const query = smartDepositAddressQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  const { filter } = query
  // A prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null ? context.sql : context.adHocSql
  const rows = await selectPage(sql, query, organizationId)
  const { items, nextPageToken } = pageOfRows(context, query, rows, cursorOf)
  return {
    smartDepositAddresses: items.map(({ registeredAt: _, ...address }) => address),
    nextPageToken,
  }
}

type Row = RegisteredSmartDepositAddress & { registeredAt: bigint }

function cursorOf({ registeredAt, chainId, smartDepositAddress }: Row): Cursor {
  return [String(registeredAt), chainId, smartDepositAddress]
}

function selectPage(
  sql: Sql,
  { filter, cursor, pageSize }: ListQuery<Cursor>,
  organizationId: string,
): Promise<Row[]> {
  const columns = {
    smartDepositAddress: sql`a.address`,
    userAddress: sql`a.user_destination_address`,
    vaultAddress: sql`a.vault_address`,
    inputToken: sql`a.input_token`,
    customerId: sql`a.customer_id`,
    chainId: sql`a.chain_id`,
  }
  return sql<Row[]>`
    select a.address as "smartDepositAddress", a.chain_id as "chainId",
      a.factory as "factoryAddress", a.generation, a.user_destination_address as "userDestinationAddress",
      a.vault_address as "vaultAddress", a.input_token as "inputToken",
      a.customer_id as "customerId", a.organization_id as "organizationId",
      r.created_at as "createdAt",
      (extract(epoch from r.created_at) * 1000000)::bigint as "registeredAt"
    from app.smart_deposit_registration r
    join app.smart_deposit_address a using (chain_id, address)
    where r.organization_id = ${organizationId} and ${afterCursor(sql, cursor)}
      and ${filter === null ? sql`true` : filterToSql(sql, filter, columns)}
    order by r.created_at desc, r.chain_id desc, r.address desc limit ${pageSize + 1}`
}

function afterCursor(sql: Sql, cursor: Cursor | null): Fragment {
  if (cursor === null) return sql`true`
  const [registeredAt, chainId, address] = cursor
  return sql`(r.created_at, r.chain_id, r.address) < (
    to_timestamp(0) + ${registeredAt}::bigint * interval '1 microsecond', ${chainId}::integer,
    ${address}::text)`
}
