import type { Address, Hex } from 'viem'
import { admitAnswer, type IndexProgress } from '../../index/indexProgress.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { type Placed, rowsInOrder, sqlOfFilter } from '../../page/pageInSql.ts'
import { type Page, pageOfRows } from '../../page/pageOfRows.ts'
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

export type RouteApprovalPage = Page<'routeApprovals', RouteApproval>

type Row = RouteApproval & Placed & { progress: IndexProgress[] }

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const routeApprovalQuery = listQuery({
  list: 'routeApprovals',
  keys: {
    sourceChain: { type: 'integer' },
    sourceChainId: { type: 'integer', aliasOf: 'sourceChain' },
    destinationChain: { type: 'integer' },
    destinationChainId: { type: 'integer', aliasOf: 'destinationChain' },
    offerAsset: { type: 'address' },
    wantAsset: { type: 'address' },
    approved: { type: 'boolean' },
    txHash: { type: 'hash' },
  },
})

/** Every approval of a route and every end of one, newest first. Throws the errors of its query, or `INDEX_CATCHING_UP`. */
export async function listRouteApprovals(
  context: TransitContext,
  params: ListParams,
): Promise<RouteApprovalPage> {
  const query = routeApprovalQuery(context, params)
  const sql = sqlOfFilter(context, query)
  const approvals = rowsInOrder(sql, query, {
    rows: () => sql`
      select a.chain_id as "sourceChainId", a.destination_eid::double precision as "destinationEid",
        c.chain_id as "destinationChainId", a.offer_asset as "offerAsset",
        a.want_asset as "wantAsset", a.approved, a.block_timestamp::double precision as timestamp,
        a.transaction_hash as "transactionHash", a.log_index as "logIndex", a.block_number as block
      from read.transit_route_approval a left join read.chain c on c.eid = a.destination_eid`,
    order: { timestamp: 'float8', sourceChainId: 'integer', block: 'bigint', logIndex: 'integer' },
    columns: () => ({
      sourceChain: sql`r."sourceChainId"`,
      destinationChain: sql`r."destinationChainId"`,
      txHash: sql`r."transactionHash"`,
    }),
  })
  const rows = await sql<Row[]>`
    select p.progress, a.*
    from (select coalesce(json_agg(c), '[]') as progress from read.chain_progress c) p
    left join (${approvals}) a on true`
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  await admitAnswer(context, rows[0]?.progress ?? [], chainIds)
  return pageOfRows(context, query, {
    name: 'routeApprovals',
    rows: rows.filter(({ transactionHash }) => transactionHash !== null),
    place: ({ place }) => place,
  })
}
