import type { Hex } from 'viem'
import type { ServiceContext } from '../context.ts'
import { attempt, refuseTogether } from '../error/refuseTogether.ts'
import { invalidFields } from '../error/serviceError.ts'
import { type Filter, type FilterValue, pinnedValue } from '../filter/filter.ts'
import { parseFilter } from '../filter/parseFilter.ts'
import { pageSizeParam } from '../page/pageParameters.ts'
import { decodePageToken } from '../page/pageToken.ts'
import { TRANSIT_ORDER_FILTER_KEYS } from './orderFilter.ts'

export type OrderListParams = {
  /** In any case. */
  userAddress?: string | undefined
  filter?: string | undefined
  /** 1..100 */
  pageSize: number
  pageToken?: string | undefined
}

/** Where a page ended: block time of the submission (Unix seconds) and order id. */
export type OrderCursor = [createdAt: string, id: Hex]

export type OrderListQuery = {
  filter: Filter | null
  userAddress: string | undefined
  /** The transaction whose orders alone can match, if the filter says so. */
  transactionHash: FilterValue | null
  cursor: OrderCursor | null
  pageSize: number
  /** What a page token of this list is good for. */
  binding: string
}

/**
 * What a list of orders asks for, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or
 * `INVALID_FIELD`, naming everything that is wrong.
 */
export function orderListQuery(
  { appSecret }: Pick<ServiceContext, 'appSecret'>,
  params: OrderListParams,
): OrderListQuery {
  const userAddress = params.userAddress?.toLowerCase()
  const binding = JSON.stringify(['transitOrders', userAddress ?? null, params.filter ?? null])
  const filter = attempt(() => parseFilter(params.filter ?? '', TRANSIT_ORDER_FILTER_KEYS))
  const cursor = attempt(() =>
    params.pageToken === undefined
      ? null
      : (decodePageToken(params.pageToken, binding, appSecret) as OrderCursor),
  )
  const transactionHash = filter.value ? pinnedValue(filter.value, 'txHash') : null
  const isUnbounded = !filter.refusal && userAddress === undefined && transactionHash === null
  refuseTogether([
    isUnbounded ? userRequired() : undefined,
    filter.refusal,
    refusedPageSize(params.pageSize),
    cursor.refusal,
  ])
  return {
    filter: filter.value ?? null,
    userAddress,
    transactionHash,
    cursor: cursor.value ?? null,
    pageSize: params.pageSize,
    binding,
  }
}

function refusedPageSize(pageSize: number) {
  const { error } = pageSizeParam.safeParse(pageSize)
  const [issue] = error?.issues ?? []
  return issue && invalidFields([{ field: 'pageSize', description: issue.message }])
}

function userRequired() {
  return invalidFields([
    { field: 'userAddress', description: 'required unless the filter says txHash = <hash>' },
  ])
}
