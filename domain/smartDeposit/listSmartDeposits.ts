import type { Fragment, Sql } from 'postgres'
import { requirePermission } from '../access/requirePermission.ts'
import type { SharedServices } from '../context.ts'
import { pinnedValue } from '../filter/filter.ts'
import { filterToSql } from '../filter/filterToSql.ts'
import { examinedPage } from '../page/examinedPage.ts'
import { type ListParams, type ListQuery, listQuery } from '../page/listQuery.ts'
import { sqlOfFilter } from '../page/pageInSql.ts'
import { type Page, pageEndingAt } from '../page/pageOfRows.ts'
import {
  depositColumns,
  describedDeposits,
  type SmartDepositRow,
  toSmartDeposit,
} from './selectSmartDeposits.ts'
import { SMART_DEPOSIT_STATUSES, type SmartDeposit } from './smartDeposit.ts'
import type { SmartDepositContext } from './smartDepositContext.ts'

export type SmartDepositPage = Page<'smartDeposits', SmartDeposit>

/** The organization sequence of the last deposit's first event. */
type Cursor = [sequence: string]

const MOST_EXAMINED = 1_000
/** Above every number: the first page's cursor. */
const NEWEST: Cursor = ['9223372036854775807']

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const smartDepositQuery = listQuery<Cursor>({
  list: 'smartDeposits',
  keys: {
    depositId: { type: 'hash' },
    smartDepositAddress: { type: 'address' },
    userAddress: { type: 'address' },
    customerId: { type: 'string' },
    status: { type: 'enum', values: SMART_DEPOSIT_STATUSES },
    chainId: { type: 'integer' },
  },
  isOwn: true,
})

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
  return pageEndingAt(context, query, {
    name: 'smartDeposits',
    rows: rows.filter(({ deposit_id }) => deposit_id !== null).map(toSmartDeposit),
    end: rows[0]?.end ?? null,
  })
}

/** Always at least one row. */
function selectPage(
  context: Pick<SharedServices, 'sql' | 'adHocSql'>,
  query: ListQuery<Cursor>,
  organizationId: string,
): Promise<(SmartDepositRow & { end: Cursor | null })[]> {
  const { filter, pageSize } = query
  const sql = sqlOfFilter(context, query)
  const [after] = query.cursor ?? NEWEST
  const page = examinedPage(sql, {
    pageSize,
    candidates: (most) => sql`(
      select r.* from app.smart_deposit_report r
      where r.organization_id = ${organizationId}
        and r.organization_sequence < ${after}::bigint ${pinned(sql, query, organizationId)}
      order by r.organization_sequence desc limit ${most}
    )`,
    matching: sql`
      select r.organization_id, r.organization_sequence, ${depositColumns(sql)}
      from candidate r join ${describedDeposits(sql)} using (deposit_id)
      where ${filterToSql(sql, filter, filterColumns(sql))}`,
    isExamined: filter !== null,
    mostExamined: MOST_EXAMINED,
    order: ['organization_sequence'],
  })
  return sql`
    with ${page}
    select page_end.place as "end", found.* from page_end left join found on true
    order by found.organization_sequence desc`
}

/** A filter for one user, address, customer or deposit limits the search to it. */
function pinned(sql: Sql, { filter }: ListQuery<Cursor>, organizationId: string): Fragment {
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
