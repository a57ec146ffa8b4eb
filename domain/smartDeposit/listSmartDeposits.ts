import type { Fragment, Sql } from 'postgres'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedContext, SharedServices } from '../context.ts'
import { type FilterKeys, pinnedValue } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { encodePageToken } from '../page/pageToken.ts'
import {
  depositColumns,
  describedDeposits,
  type SmartDepositRow,
  toSmartDeposit,
} from './selectSmartDeposits.ts'
import { SMART_DEPOSIT_STATUSES, type SmartDeposit } from './smartDeposit.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'

export type SmartDepositPage = { smartDeposits: SmartDeposit[]; nextPageToken: string | null }

/** The keys of the list's filter. */
export const SMART_DEPOSIT_FILTER_KEYS = {
  depositId: { type: 'hash' },
  smartDepositAddress: { type: 'address' },
  userAddress: { type: 'address' },
  customerId: { type: 'string' },
  status: { type: 'enum', values: SMART_DEPOSIT_STATUSES },
  chainId: { type: 'integer' },
} as const satisfies FilterKeys

/** The organization sequence of the last deposit's first event. */
type Cursor = [sequence: string]

/** A filtered page searches so many deposits; it may then be short and still have a token. */
const MOST_EXAMINED = 1_000
/** Above every number: the first page's cursor. */
const NEWEST: Cursor = ['9223372036854775807']

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function smartDepositQuery(
  context: Pick<SharedContext, 'appSecret' | 'caller'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, {
    list: 'smartDeposits',
    keys: SMART_DEPOSIT_FILTER_KEYS,
    params,
    bound: [context.caller?.organizationId ?? null],
  })
}

type Found = SmartDepositRow & Examined
type Examined = { examined: number; last_sequence: bigint | null }

/**
 * The deposits for which the caller's organization has events, the newest first. Throws as
 * `smartDepositQuery` does.
 */
export async function listSmartDeposits(
  context: SmartDepositContext,
  params: ListParams,
): Promise<SmartDepositPage> {
  const query = smartDepositQuery(context, params)
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  const rows = await selectPage(context, query, organizationId)
  const found = rows.filter(({ deposit_id }) => deposit_id !== null)
  const last = found[query.pageSize - 1]
  const [first] = rows
  const isCutOff = first?.examined === MOST_EXAMINED && query.filter !== null
  const end =
    found.length > query.pageSize && last
      ? last.organization_sequence
      : isCutOff
        ? first.last_sequence
        : null
  const { binding } = query
  return {
    smartDeposits: found.slice(0, query.pageSize).map(toSmartDeposit),
    nextPageToken:
      end === null ? null : encodePageToken({ binding, cursor: [String(end)] }, context.appSecret),
  }
}

/** Always at least one row, which shows how many were searched. */
function selectPage(
  context: Pick<SharedServices, 'sql' | 'adHocSql'>,
  query: ListQuery<Cursor>,
  organizationId: string,
): Promise<Found[]> {
  const { filter, pageSize } = query
  // A prepared statement per shape of filter would pile up in every connection.
  const sql = filter === null ? context.sql : context.adHocSql
  const [after] = query.cursor ?? NEWEST
  const most = filter === null ? pageSize + 1 : MOST_EXAMINED
  return sql<Found[]>`
    with reports as materialized (
      select r.* from app.smart_deposit_report r
      where r.organization_id = ${organizationId}
        and r.organization_sequence < ${after}::bigint ${pinned(sql, query, organizationId)}
      order by r.organization_sequence desc limit ${most}
    ), examined as (
      select count(*)::integer as examined, min(organization_sequence) as last_sequence from reports
    ), page as (
      select r.organization_id, r.organization_sequence, ${depositColumns(sql)}
      from reports r join ${describedDeposits(sql)} using (deposit_id)
      where ${filter === null ? sql`true` : filterToSql(sql, filter, filterColumns(sql))}
      order by r.organization_sequence desc limit ${pageSize + 1}
    )
    select examined.*, page.* from examined left join page on true
    order by page.organization_sequence desc`
}

/** A filter for one user, address, customer or deposit limits the search to it. */
function pinned(sql: Sql, { filter }: ListQuery<Cursor>, organizationId: string): Fragment {
  if (filter === null) return sql``
  const depositId = pinnedValue(filter, 'depositId')
  if (depositId !== null) return sql`and r.deposit_id = ${String(depositId)}`
  const columns = {
    smartDepositAddress: sql`a.address`,
    userAddress: sql`a.user_destination_address`,
    customerId: sql`a.customer_id`,
  }
  for (const [key, column] of Object.entries(columns)) {
    const value = pinnedValue(filter, key)
    if (value !== null)
      return sql`and r.deposit_id in (
        select d.deposit_id from app.smart_deposit_address a
        join app.smart_deposit_registration g using (chain_id, address)
        join app.smart_deposit d on d.address_chain_id = a.chain_id and d.address = a.address
        where ${column} = ${String(value)} and g.organization_id = ${organizationId})`
  }
  return sql``
}

function filterColumns(sql: Sql) {
  return {
    depositId: sql`d.deposit_id`,
    smartDepositAddress: sql`d.address`,
    userAddress: sql`d.user_destination_address`,
    customerId: sql`d.customer_id`,
    status: sql`d.wire_status`,
    chainId: sql`d.address_chain_id`,
  }
}
