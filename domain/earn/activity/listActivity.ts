import type { Fragment, Sql } from 'postgres'
import { memoizeByRows } from '../../cache/memoizeByRows.ts'
import type { Filter } from '../../filter/filter.ts'
import { filterToJsonPath } from '../../filter/filterToJsonPath.ts'
import { headsColumn, headsInFirst, type RowWithHeads, takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { type AtHeads, ofRowsAlone } from '../../index/indexReads.ts'
import type { ListQuery } from '../../page/listQuery.ts'
import { pageKey } from '../../page/pageKey.ts'
import { encodePageToken } from '../../page/pageToken.ts'
import type { EarnContext } from '../earnContext.ts'
import { deploymentKey, neverUpdatedRates } from '../vaults/neverUpdatedRates.ts'
import type { Activity } from './activity.ts'
import {
  type ActivityCursor,
  type ActivityParams,
  type ActivityPlan,
  activityListQuery,
  planActivityList,
} from './activityListQuery.ts'
import type { ActivityPage, ActivityRow, ActivityRows } from './activityPage.ts'
import { toActivity } from './activityRow.ts'

type Listing = ListQuery<ActivityCursor> & {
  filter: Filter
  plan: ActivityPlan
  /** Unix seconds, exclusive. */
  after: number
  /** Unix seconds, inclusive. */
  until: number | null
}

/** The last candidate, and how many there were. */
type Examined = {
  examined: number | null
  /** Whether somebody else than the user paid a deposit. The payer may be a smart deposit address, which is not in the index. */
  has_other_payer: boolean | null
  last_time: bigint | null
  last_chain_id: number | null
  last_block: bigint | null
  last_log: number | null
  last_part: number | null
}
type ListedRow = RowWithHeads &
  Examined & {
    [Column in keyof ActivityRow]: ActivityRow[Column] | null
  }

/**
 * The most candidates that a page with conditions beyond its index looks at. Such a page can be short and
 * still have a token.
 */
const MOST_EXAMINED = 500
const END_OF_TIME = '9223372036854775807'

/**
 * The activities of a user or of a vault, newest first by (timestamp, chainId, blockNumber, logIndex).
 * Throws `INVALID_FIELD`, `INVALID_FILTER`, `INVALID_PAGE_TOKEN`, `INDEX_CATCHING_UP`.
 */
export async function listActivity(
  context: EarnContext,
  params: ActivityParams,
): Promise<ActivityPage> {
  const query = activityListQuery(context, params)
  const { filter } = query
  if (filter === null) throw new Error('Invariant(listActivity): a checked query has a filter')
  const plan = planActivityList(context.addressBook, filter)
  // No chain can have a match.
  if (plan.chainIds.length === 0) return { activity: [], nextPageToken: null }
  const { startTime = -1, endTime = null } = params
  const listing = { ...query, filter, plan, after: startTime, until: endTime }
  // An organization sees only its own smart deposits.
  const key = JSON.stringify([pageKey(query), context.caller?.organizationId ?? null])
  const { progress, value } = await context.indexReads.read(key, {
    select: () => context.readIndex(({ sql }) => readRows(sql, context, listing)),
    isSameAt: ofRowsAlone,
    kilobytes: ({ rows }) => ACTIVITY_KILOBYTES * rows.length + 1,
  })
  await admitAnswer(context, progress, plan.chainIds)
  const live = await neverUpdatedRates(
    context,
    value.rows.filter((row) => rateOf(row) === null).map(placeOf),
  )
  const rates = new Map([...live].map(([key, { rate }]) => [key, rate]))
  return pageOf(value, rates, () => ({
    activity: describe(context, value.rows, rates),
    nextPageToken: value.nextPageToken,
  }))
}

/** An activity with its part of the answer. */
const ACTIVITY_KILOBYTES = 3.4

/** The rates that are read from their chains, because the index has none, by `deploymentKey`. */
type Rates = Map<string, bigint>
const pageOf = memoizeByRows<ActivityRows, Rates, ActivityPage>()

async function readRows(
  sql: Sql,
  context: EarnContext,
  listing: Listing,
): Promise<AtHeads<ActivityRows>> {
  const { pageSize, binding } = listing
  const rows = await selectPage(sql, listing, context.caller?.organizationId)
  const heads = takeHeads(rows)
  const [first] = rows
  const found = rows.filter(isPresent)
  const end = endOfPage(found, first, listing)
  const value = {
    rows: found.slice(0, pageSize),
    nextPageToken: end && encodePageToken({ binding, cursor: end }, context.appSecret),
  }
  // The payer may be a smart deposit address, which is no part of the index.
  const chainIds = first?.has_other_payer === true ? null : listing.plan.chainIds
  return { heads, chainIds, value }
}

const placeOf = ({ chain_id: chainId, vault }: ActivityRow) => ({ chainId, vault })

function rateOf({ rate, opening_rate }: ActivityRow): string | null {
  return rate ?? opening_rate
}

/** Leaves out rows whose rate only the chain knows, while it cannot be read. */
function describe(context: EarnContext, rows: ActivityRow[], rates: Rates): Activity[] {
  return rows.flatMap((row) => {
    const indexed = rateOf(row)
    const rate = indexed === null ? rates.get(deploymentKey(placeOf(row))) : BigInt(indexed)
    return rate === undefined ? [] : (toActivity(context, row, rate) ?? [])
  })
}

/**
 * Always at least one row. The heads are named first as in every read. Candidates come from an index in the order of the
 * list, so every page costs the same. `offset 0` makes Postgres read the facts of a row by its key.
 */
function selectPage(
  sql: Sql,
  listing: Listing,
  organizationId: string | undefined,
): Promise<ListedRow[]> {
  const { plan, pageSize } = listing
  const most = plan.isLed ? pageSize + 1 : MOST_EXAMINED
  const newest = sql`block_timestamp desc, chain_id desc, block_number desc, log_index desc, part desc`
  return sql<ListedRow[]>`
    with progress as materialized (
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c
    ), candidate as materialized (
      select c.*, case when s.address is null then c.type else 'SMART_DEPOSIT' end as wire_type
      from (
        select * from ${candidates(sql, listing, most)} c order by ${newest} limit ${most}
      ) c
      left join lateral (
        select a.address from app.smart_deposit_address a
        where c.type = 'DEPOSIT' and a.chain_id = c.chain_id and a.address = c.counterparty offset 0
      ) s on true
    ), examined as (
      select count(*) over ()::integer as examined,
        bool_or(type = 'DEPOSIT' and counterparty is not null) over () as has_other_payer,
        block_timestamp as last_time,
        chain_id as last_chain_id, block_number as last_block, log_index as last_log, part as last_part
      from candidate order by block_timestamp, chain_id, block_number, log_index, part limit 1
    ), found as materialized (
      select * from candidate c where ${condition(sql, listing)}
      order by ${newest} limit ${pageSize + 1}
    )
    select ${headsInFirst(sql, newest)},
      examined.*, f.*,
      case when f.rate is null then (
        select v.opening_rate from read.vault_state v
        where v.chain_id = f.chain_id and v.vault = f.vault
      ) end as opening_rate,
      case when f.wire_type = 'SMART_DEPOSIT' then ${depositId(sql, organizationId)} end
        as deposit_id
    from progress left join examined on true left join found f on true
    order by ${newest}`
}

/**
 * The smart deposit that the row `f` settled, if this organization registered its address. A payment of the keeper's own
 * order belongs to the deposit that the keeper sent on.
 */
function depositId(sql: Sql, organizationId: string | undefined): Fragment {
  return sql`(
    select coalesce((
      select sent.deposit_id from app.smart_deposit sent where sent.order_id = d.continues
      order by sent.attempt desc limit 1
    ), d.deposit_id) from app.smart_deposit d
    join app.smart_deposit_registration r
      on r.chain_id = d.address_chain_id and r.address = d.address
    where d.chain_id = f.chain_id and d.address = f.counterparty
      and d.settle_tx_hash = f.transaction_hash and r.organization_id = ${organizationId ?? null}::uuid
    order by d.collected_as is not null, d.deposit_id limit 1)`
}

/** Activities after the cursor, maybe more than `most`. */
function candidates(sql: Sql, { plan, cursor, after, until }: Listing, most: number): Fragment {
  const { lead, value, chainIds, types } = plan
  // Before the first page: above all rows of the last second.
  const last = until === null ? END_OF_TIME : String(until + 1)
  const [time, chainId, block, log, part] = cursor ?? [last, 0, '-1', 0, 0]
  return sql`${sql.unsafe(`read.activity_of_${lead}`)}(
    ${value}, ${chainIds}, ${types}, ${time}::bigint, ${chainId}, ${block}::bigint, ${log}, ${part},
    ${after}::bigint, ${most}
  )`
}

/** The condition that a candidate must meet besides the leading column. */
function condition(sql: Sql, { plan, filter }: Listing): Fragment {
  const path = plan.isLed ? null : filterToJsonPath(filter)
  return sql`(
    ${path}::jsonpath is null or jsonb_path_match(
      jsonb_build_object(
        'userAddress', c.user_address, 'vaultAddress', c.vault, 'type', c.wire_type,
        'chainId', c.chain_id
      ),
      ${path}::jsonpath
    )
  )`
}

function isPresent(row: ListedRow): row is ListedRow & ActivityRow {
  return row.transaction_hash !== null
}

function endOfPage(
  found: ActivityRow[],
  examined: Examined | undefined,
  { plan, pageSize }: Listing,
): ActivityCursor | null {
  const last = found[pageSize - 1]
  if (found.length > pageSize && last)
    return [
      String(last.block_timestamp),
      last.chain_id,
      String(last.block_number),
      last.log_index,
      last.part,
    ]
  if (plan.isLed || examined?.examined !== MOST_EXAMINED) return null
  const { last_time, last_chain_id, last_block, last_log, last_part } = examined
  if (last_chain_id === null || last_log === null || last_part === null) return null
  return [String(last_time), last_chain_id, String(last_block), last_log, last_part]
}
