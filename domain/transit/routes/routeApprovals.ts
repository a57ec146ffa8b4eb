import type { Address, Hex } from 'viem'
import type { SharedServices } from '../../context.ts'
import type { FilterKeys } from '../../filter/filter.ts'
import { filterToSql } from '../../filter/filterToSql.ts'
import { admitAnswer, type IndexProgress } from '../../index/indexProgress.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { encodePageToken } from '../../page/pageToken.ts'
import { transitChains } from '../transitChains.ts'
import type { TransitContext } from '../transitContext.ts'

/** One approval of a route by a station, or its end. Addresses are lower case, `timestamp` in Unix seconds. */
export type RouteApproval = {
  sourceChainId: number
  destinationEid: number
  /** Null for an endpoint outside of the address book. */
  destinationChainId: number | null
  offerAsset: Address
  wantAsset: Address
  approved: boolean
  timestamp: number
  transactionHash: Hex
  logIndex: number
}

export type RouteApprovalPage = { routeApprovals: RouteApproval[]; nextPageToken: string | null }

type Cursor = [timestamp: number, chainId: number, block: string, logIndex: number]
type Row = RouteApproval & { block: bigint; progress: IndexProgress[] }

/** The filter keys of the list. */
export const ROUTE_APPROVAL_FILTER_KEYS = {
  sourceChain: { type: 'integer' },
  sourceChainId: { type: 'integer', aliasOf: 'sourceChain' },
  destinationChain: { type: 'integer' },
  destinationChainId: { type: 'integer', aliasOf: 'destinationChain' },
  offerAsset: { type: 'address' },
  wantAsset: { type: 'address' },
  approved: { type: 'boolean' },
  txHash: { type: 'hash' },
} as const satisfies FilterKeys

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function routeApprovalQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: ListParams,
): ListQuery<Cursor> {
  return listQuery(context, { list: 'routeApprovals', keys: ROUTE_APPROVAL_FILTER_KEYS, params })
}

/** Every approval of a route and every end of one, newest first. Throws the errors of its query, or `INDEX_CATCHING_UP`. */
export async function listRouteApprovals(
  context: TransitContext,
  params: ListParams,
): Promise<RouteApprovalPage> {
  const query = routeApprovalQuery(context, params)
  const rows = await selectRows(context, query)
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  await admitAnswer(context, rows[0]?.progress ?? [], chainIds)
  const found = rows.filter(({ transactionHash }) => transactionHash !== null)
  const routeApprovals = found.slice(0, query.pageSize)
  const last = routeApprovals.at(-1)
  const end: Cursor | null =
    last && found.length > query.pageSize
      ? [last.timestamp, last.sourceChainId, String(last.block), last.logIndex]
      : null
  return {
    routeApprovals,
    nextPageToken:
      end && encodePageToken({ binding: query.binding, cursor: end }, context.appSecret),
  }
}

function selectRows(context: TransitContext, query: ListQuery<Cursor>): Promise<Row[]> {
  const { filter, cursor, pageSize } = query
  const sql = filter === null ? context.sql : context.adHocSql
  const condition = filter
    ? filterToSql(sql, filter, {
        sourceChain: sql`a.chain_id`,
        destinationChain: sql`c.chain_id`,
        offerAsset: sql`a.offer_asset`,
        wantAsset: sql`a.want_asset`,
        approved: sql`a.approved`,
        txHash: sql`a.transaction_hash`,
      })
    : sql`true`
  const after = cursor
    ? sql`(a.block_timestamp, a.chain_id, a.block_number, a.log_index) <
        (${cursor[0]}::bigint, ${cursor[1]}::integer, ${cursor[2]}::bigint, ${cursor[3]}::integer)`
    : sql`true`
  return sql<Row[]>`
    select p.progress, a.*
    from (select coalesce(json_agg(c), '[]') as progress from read.chain_progress c) p
    left join (
      select a.chain_id as "sourceChainId", a.destination_eid::double precision as "destinationEid",
        c.chain_id as "destinationChainId", a.offer_asset as "offerAsset",
        a.want_asset as "wantAsset", a.approved, a.block_timestamp::double precision as timestamp,
        a.transaction_hash as "transactionHash", a.log_index as "logIndex", a.block_number as block
      from read.transit_route_approval a left join read.chain c on c.eid = a.destination_eid
      where ${condition} and ${after}
      order by a.block_timestamp desc, a.chain_id desc, a.block_number desc, a.log_index desc
      limit ${pageSize + 1}
    ) a on true`
}
