import type { Fragment, Sql } from 'postgres'
import { filterToJsonPath } from '../../filter/filterToJsonPath.ts'
import { headsColumn, headsInFirst, type RowWithHeads, takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { type AtHeads, ofRowsAlone } from '../../index/indexReads.ts'
import type { ListParams, ListQuery } from '../../page/listQuery.ts'
import { pageKey } from '../../page/pageKey.ts'
import { encodePageToken } from '../../page/pageToken.ts'
import type { EarnContext, EarnServices } from '../earnContext.ts'
import { isFoundRequest, placedRequests, withdrawalStatusOf } from './selectWithdrawalRequests.ts'
import {
  type Lead,
  planWithdrawalList,
  type WithdrawalCursor,
  type WithdrawalPlan,
  withdrawalListQuery,
} from './withdrawalListQuery.ts'
import type {
  ExaminedRequests,
  ListedRequest,
  WithdrawalRequestPage,
} from './withdrawalRequestPage.ts'
import { toWithdrawalRequest, type WithdrawalRequestRow } from './withdrawalRequestRow.ts'

type ListedRow = ListedRequest & RowWithHeads

type Listing = ListQuery<WithdrawalCursor> & { plan: WithdrawalPlan }

/**
 * The most candidates that a page with conditions beyond its index looks at. Such a page can be short and
 * still have a token.
 */
const MOST_EXAMINED = 500
/** The cursor of the first page, before every request. */
const END_OF_TIME: WithdrawalCursor = ['9223372036854775807', 0, '0x', '0']

/**
 * Withdrawal requests, newest first by (createdAt, chainId, queue, orderIndex). Throws
 * `INVALID_FIELD`, `INVALID_FILTER`, `INVALID_PAGE_TOKEN`, `INDEX_CATCHING_UP`.
 */
export async function listWithdrawalRequests(
  context: EarnContext,
  params: ListParams,
): Promise<WithdrawalRequestPage> {
  const query = withdrawalListQuery(context, params)
  const plan = planWithdrawalList(context.addressBook, query.filter)
  // No chain can have a match.
  if (plan.chainIds.length === 0) return { withdrawalRequests: [], nextPageToken: null }
  const { progress, value } = await context.indexReads.read(pageKey(query), {
    select: () => context.readIndex(({ sql }) => readPage(sql, context, { ...query, plan })),
    isSameAt: ofRowsAlone,
    kilobytes: ({ withdrawalRequests }) => REQUEST_KILOBYTES * withdrawalRequests.length + 1,
  })
  await admitAnswer(context, progress, plan.chainIds)
  return value
}

/** A request with its part of the answer. */
const REQUEST_KILOBYTES = 3.1

async function readPage(
  sql: Sql,
  context: EarnServices,
  listing: Listing,
): Promise<AtHeads<WithdrawalRequestPage>> {
  const { pageSize, binding } = listing
  const rows = await selectPage(sql, listing)
  const heads = takeHeads(rows)
  const found = rows.filter(isFoundRequest)
  const end = endOfPage(found, rows[0], listing)
  const value = {
    withdrawalRequests: found.slice(0, pageSize).map(toWithdrawalRequest),
    nextPageToken: end && encodePageToken({ binding, cursor: end }, context.appSecret),
  }
  return { heads, chainIds: listing.plan.chainIds, value }
}

/**
 * Always at least one row. The heads are named first as in every read. Candidates come from
 * an index in the order of the list, so every page costs the same.
 */
function selectPage(sql: Sql, listing: Listing): Promise<ListedRow[]> {
  const { plan, pageSize } = listing
  const most = plan.isLed ? pageSize + 1 : MOST_EXAMINED
  const newest = sql`block_timestamp desc, chain_id desc, queue desc, order_index desc`
  return sql<ListedRow[]>`
    with progress as materialized (
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c
    ), candidate as materialized (
      select c.*, ${withdrawalStatusOf(sql, sql`c`)} as status
      from ${candidates(sql, listing, most)} c order by ${newest} limit ${most}
    ), examined as (
      select count(*) over ()::integer as examined, block_timestamp as last_time,
        chain_id as last_chain_id, queue as last_queue, order_index as last_index
      from candidate order by block_timestamp, chain_id, queue, order_index limit 1
    ), found as materialized (
      select * from candidate c where ${condition(sql, listing)}
      order by ${newest} limit ${pageSize + 1}
    ), ${placedRequests(sql)}
    select ${headsInFirst(sql, newest)},
      examined.*, request.*
    from progress left join examined on true left join request on true
    order by ${newest}`
}

const LISTS: Record<Lead, string> = {
  txHash: 'read.withdrawals_of_transaction',
  orderIndex: 'read.withdrawals_of_index',
  userAddress: 'read.withdrawals_of_user',
  receiverAddress: 'read.withdrawals_of_receiver',
  vaultAddress: 'read.withdrawals_of_vault',
}

/** Requests after the cursor, maybe more than `most`. */
function candidates(sql: Sql, { plan, cursor }: Listing, most: number): Fragment {
  const { lead, pins, chainIds, statuses } = plan
  const [time, chainId, queue, index] = cursor ?? END_OF_TIME
  const list = lead === null ? 'read.withdrawals' : LISTS[lead]
  return sql`${sql.unsafe(list)}(
    ${lead === null ? null : (pins[lead] ?? null)}, ${chainIds}, ${statuses},
    ${time}::bigint, ${chainId}, ${queue}, ${index}::numeric, ${most}
  )`
}

/** The condition that a candidate must meet besides the leading column. */
function condition(sql: Sql, { plan, filter }: Listing): Fragment {
  const path = filter === null || plan.isLed ? null : filterToJsonPath(filter)
  return sql`(
    ${path}::jsonpath is null or jsonb_path_match(
      jsonb_build_object(
        'userAddress', c.user_address, 'receiverAddress', c.receiver, 'vaultAddress', c.vault,
        'txHash', c.transaction_hash, 'status', c.status, 'chainId', c.chain_id,
        'orderIndex', c.order_index::text
      ),
      ${path}::jsonpath
    )
  )`
}

function endOfPage(
  found: WithdrawalRequestRow[],
  examined: ExaminedRequests | undefined,
  { plan, pageSize }: Listing,
): WithdrawalCursor | null {
  const last = found[pageSize - 1]
  if (found.length > pageSize && last)
    return [String(last.block_timestamp), last.chain_id, last.queue, last.order_index]
  if (plan.isLed || examined?.examined !== MOST_EXAMINED) return null
  const { last_time, last_chain_id, last_queue, last_index } = examined
  if (last_chain_id === null || last_queue === null || last_index === null) return null
  return [String(last_time), last_chain_id, last_queue, last_index]
}
