import type { Sql } from 'postgres'
import { WITHDRAWAL_STATUSES } from '../../../db/readViews/withdrawalStatus.ts'
import { jsonPathCondition } from '../../filter/filterToJsonPath.ts'
import { headsColumn, headsInFirst, type RowWithHeads, takeHeads } from '../../index/indexHeads.ts'
import { admitAnswer } from '../../index/indexProgress.ts'
import { type AtHeads, ofRowsAlone } from '../../index/indexReads.ts'
import { examinedPage, newestFirst } from '../../page/examinedPage.ts'
import type { ListParams, ListQuery } from '../../page/listQuery.ts'
import { pageKey } from '../../page/pageKey.ts'
import { type Page, pageEndingAt } from '../../page/pageOfRows.ts'
import type { EarnContext, EarnServices } from '../earnContext.ts'
import { type EarnListPlan, planEarnList } from '../planEarnList.ts'
import {
  isFoundRequest,
  placedRequests,
  type SelectedRequest,
  withdrawalStatusOf,
} from './selectWithdrawalRequests.ts'
import { type WithdrawalCursor, withdrawalListQuery } from './withdrawalListQuery.ts'
import type { WithdrawalRequest } from './withdrawalRequest.ts'
import { toWithdrawalRequest } from './withdrawalRequestRow.ts'
import type { WithdrawalStatus } from './withdrawalStatus.ts'

export type WithdrawalRequestPage = Page<'withdrawalRequests', WithdrawalRequest>

/** The functions that give the requests with one value of a column, by filter key. */
const LISTS = {
  txHash: 'read.withdrawals_of_transaction',
  orderIndex: 'read.withdrawals_of_index',
  userAddress: 'read.withdrawals_of_user',
  receiverAddress: 'read.withdrawals_of_receiver',
  vaultAddress: 'read.withdrawals_of_vault',
} as const
type Lead = keyof typeof LISTS

const LEADS = {
  // Cast, because `Object.keys` gives the keys as texts.
  keys: Object.keys(LISTS) as Lead[],
  stateKey: 'status',
  states: WITHDRAWAL_STATUSES,
}

/** The SQL of each filter key, over a candidate `c`. */
const VALUES = {
  userAddress: 'c.user_address',
  receiverAddress: 'c.receiver',
  vaultAddress: 'c.vault',
  txHash: 'c.transaction_hash',
  status: 'c.status',
  chainId: 'c.chain_id',
  orderIndex: 'c.order_index::text',
}

type Listing = ListQuery<WithdrawalCursor> & { plan: EarnListPlan<Lead, WithdrawalStatus> }

const ORDER = ['block_timestamp', 'chain_id', 'queue', 'order_index']
const MOST_EXAMINED = 500
/** The cursor of the first page, before every request. */
const END_OF_TIME: WithdrawalCursor = ['9223372036854775807', '0', '0x', '0']

/**
 * Withdrawal requests, newest first by (createdAt, chainId, queue, orderIndex). Throws
 * `INVALID_FIELD`, `INVALID_FILTER`, `INVALID_PAGE_TOKEN`, `INDEX_CATCHING_UP`.
 */
export async function listWithdrawalRequests(
  context: EarnContext,
  params: ListParams,
): Promise<WithdrawalRequestPage> {
  const query = withdrawalListQuery(context, params)
  const plan = planEarnList(context.addressBook, query.filter, LEADS)
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
  const rows = await selectPage(sql, listing)
  const heads = takeHeads(rows)
  const page = pageEndingAt(context, listing, {
    name: 'withdrawalRequests',
    rows: rows.filter(isFoundRequest).map(toWithdrawalRequest),
    end: rows[0]?.end ?? null,
  })
  return { heads, chainIds: listing.plan.chainIds, value: page }
}

type ListedRow = RowWithHeads & Omit<SelectedRequest, 'progress'> & { end: WithdrawalCursor | null }

/** Always at least one row. The heads are named first as in every read. */
function selectPage(sql: Sql, { plan, filter, pageSize, cursor }: Listing): Promise<ListedRow[]> {
  const { lead, chainIds, states, isLed } = plan
  const [time, chainId, queue, index] = cursor ?? END_OF_TIME
  const newest = newestFirst(sql, ORDER)
  const page = examinedPage(sql, {
    pageSize,
    candidates: (most) => sql`${sql.unsafe(lead ? LISTS[lead.key] : 'read.withdrawals')}(
      ${lead?.value ?? null}, ${chainIds}, ${states},
      ${time}::bigint, ${chainId}, ${queue}, ${index}::numeric, ${most}
    )`,
    matching: sql`
      select * from (select c.*, ${withdrawalStatusOf(sql, sql`c`)} as status from candidate c) c
      where ${jsonPathCondition(sql, isLed ? null : filter, VALUES)}`,
    isExamined: !isLed,
    mostExamined: MOST_EXAMINED,
    order: ORDER,
  })
  return sql<ListedRow[]>`
    with progress as materialized (
      select ${sql.unsafe(headsColumn('c'))} as heads from read.chain_progress c
    ), ${page}, ${placedRequests(sql)}
    select ${headsInFirst(sql, newest)}, page_end.place as "end", request.*
    from progress cross join page_end left join request on true
    order by ${newest}`
}
