import type { Fragment, Sql } from 'postgres'
import { INDEXED_ACTIVITIES } from '../../../db/readViews/activityFunctions.ts'
import { memoizeByRows } from '../../cache/memoizeByRows.ts'
import { jsonPathCondition } from '../../filter/filterToJsonPath.ts'
import { headsColumn, headsInFirst, type RowWithHeads, takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { type AtHeads, ofRowsAlone } from '../../index/indexReads.ts'
import { examinedPage, newestFirst } from '../../page/examinedPage.ts'
import type { ListQuery } from '../../page/listQuery.ts'
import { pageKey } from '../../page/pageKey.ts'
import { type Page, pageEndingAt } from '../../page/pageOfRows.ts'
import type { EarnContext } from '../earnContext.ts'
import { type EarnListPlan, planEarnList } from '../planEarnList.ts'
import { deploymentKey, neverUpdatedRates } from '../vaults/neverUpdatedRates.ts'
import { ACTIVITY_TYPES, type Activity, type ActivityType } from './activity.ts'
import { type ActivityCursor, type ActivityParams, activityListQuery } from './activityListQuery.ts'
import { type ActivityRow, toActivity } from './activityRow.ts'

export type ActivityPage = Page<'activity', Activity>

/** The rows of a page, before rates are read from their chains. */
type ActivityRows = Page<'rows', ActivityRow>

/** The functions that give the activities of a user or of a vault, by filter key. */
const LISTS = {
  userAddress: 'read.activity_of_user',
  vaultAddress: 'read.activity_of_vault',
} as const
type Lead = keyof typeof LISTS

const LEADS = {
  // Cast, because `Object.keys` gives the keys as texts.
  keys: Object.keys(LISTS) as Lead[],
  stateKey: 'type',
  states: ACTIVITY_TYPES,
  // A smart deposit is indexed as the deposit that it is; its payer shows what it was.
  indexed: (type: ActivityType) => (type === 'SMART_DEPOSIT' ? 'DEPOSIT' : type),
}

/** The SQL of each filter key, over a candidate `c`. */
const VALUES = {
  userAddress: 'c.user_address',
  vaultAddress: 'c.vault',
  type: 'c.wire_type',
  chainId: 'c.chain_id',
}

type Listing = ListQuery<ActivityCursor> & {
  plan: EarnListPlan<Lead, ActivityType>
  /** Unix seconds, exclusive. */
  after: number
  /** Unix seconds, inclusive. */
  until: number | null
  organizationId: string | null
}

type ListedRow = RowWithHeads & {
  end: ActivityCursor | null
  /** Whether somebody else than the user paid a deposit. The payer may be a smart deposit address, which is not in the index. */
  has_other_payer: boolean | null
} & { [Column in keyof ActivityRow]: ActivityRow[Column] | null }

const ORDER = ['block_timestamp', 'chain_id', 'block_number', 'log_index', 'part']
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
  const plan = planEarnList(context.addressBook, query.filter, LEADS)
  // No chain can have a match.
  if (plan.chainIds.length === 0) return { activity: [], nextPageToken: null }
  const { startTime = -1, endTime = null } = params
  // An organization sees only its own smart deposits.
  const organizationId = context.caller?.organizationId ?? null
  const listing = { ...query, plan, after: startTime, until: endTime, organizationId }
  const key = JSON.stringify([pageKey(query), organizationId])
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
  const rows = await selectPage(sql, listing)
  const heads = takeHeads(rows)
  const [first] = rows
  const value = pageEndingAt(context, listing, {
    name: 'rows',
    rows: rows.filter(isPresent),
    end: first?.end ?? null,
  })
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

/** Always at least one row. The heads are named first as in every read. `offset 0` makes Postgres read the facts of a row by its key. */
function selectPage(sql: Sql, listing: Listing): Promise<ListedRow[]> {
  const { plan, filter, pageSize, organizationId } = listing
  const newest = newestFirst(sql, ORDER)
  const page = examinedPage(sql, {
    pageSize,
    candidates: (most) => candidates(sql, listing, most),
    matching: sql`
      select * from (
        select c.*, case when s.address is null then c.type else 'SMART_DEPOSIT' end as wire_type
        from candidate c left join lateral (
          select a.address from app.smart_deposit_address a
          where c.type = 'DEPOSIT' and a.chain_id = c.chain_id and a.address = c.counterparty offset 0
        ) s on true
      ) c where ${jsonPathCondition(sql, plan.isLed ? null : filter, VALUES)}`,
    isExamined: !plan.isLed,
    mostExamined: MOST_EXAMINED,
    order: ORDER,
  })
  return sql<ListedRow[]>`
    with progress as materialized (
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c
    ), ${page}, payers as (
      select bool_or(type = 'DEPOSIT' and counterparty is not null) as has_other_payer from candidate
    )
    select ${headsInFirst(sql, newest)}, page_end.place as "end", payers.*, f.*,
      case when f.rate is null then (
        select v.opening_rate from read.vault_state v
        where v.chain_id = f.chain_id and v.vault = f.vault
      ) end as opening_rate,
      case when f.wire_type = 'SMART_DEPOSIT' then ${depositId(sql, organizationId)} end
        as deposit_id
    from progress cross join page_end cross join payers left join found f on true
    order by ${newest}`
}

/**
 * The smart deposit that the row `f` settled, if this organization registered its address. A payment of the keeper's own
 * order belongs to the deposit that the keeper sent on.
 */
function depositId(sql: Sql, organizationId: string | null): Fragment {
  return sql`(
    select coalesce((
      select sent.deposit_id from app.smart_deposit sent where sent.order_id = d.continues
      order by sent.attempt desc limit 1
    ), d.deposit_id) from app.smart_deposit d
    join app.smart_deposit_registration r
      on r.chain_id = d.address_chain_id and r.address = d.address
    where d.chain_id = f.chain_id and d.address = f.counterparty
      and d.settle_tx_hash = f.transaction_hash and r.organization_id = ${organizationId}::uuid
    order by d.collected_as is not null, d.deposit_id limit 1)`
}

/** Activities after the cursor, maybe more than `most`. */
function candidates(sql: Sql, { plan, cursor, after, until }: Listing, most: number): Fragment {
  const { lead, chainIds, states } = plan
  if (!lead) throw new Error('Invariant(listActivity): a checked filter has a lead')
  const types = INDEXED_ACTIVITIES.filter((type) => states.includes(type))
  // Before the first page: above all rows of the last second.
  const last = until === null ? END_OF_TIME : String(until + 1)
  const [time, chainId, block, log, part] = cursor ?? [last, '0', '-1', '0', '0']
  return sql`${sql.unsafe(LISTS[lead.key])}(
    ${lead.value}, ${chainIds}, ${types}, ${time}::bigint, ${chainId}, ${block}::bigint, ${log}, ${part},
    ${after}::bigint, ${most}
  )`
}

function isPresent(row: ListedRow): row is ListedRow & ActivityRow {
  return row.transaction_hash !== null
}
