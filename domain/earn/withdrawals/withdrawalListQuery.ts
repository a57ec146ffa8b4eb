import { WITHDRAWAL_STATUSES } from '../../../db/readViews/withdrawalStatus.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { SharedServices } from '../../context.ts'
import { type Filter, type FilterKeys, type FilterValue, pinnedValue } from '../../filter/filter.ts'
import { judgeFilter } from '../../filter/judgeFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { earnPlaces } from '../vaults/earnPlaces.ts'
import type { WithdrawalStatus } from './withdrawalStatus.ts'

/** The filter keys of the list. */
export const WITHDRAWAL_FILTER_KEYS = {
  userAddress: { type: 'address' },
  receiverAddress: { type: 'address' },
  vaultAddress: { type: 'address' },
  txHash: { type: 'hash' },
  status: { type: 'enum', values: WITHDRAWAL_STATUSES },
  chainId: { type: 'integer' },
  orderIndex: { type: 'amount' },
} as const satisfies FilterKeys

/** The last request of a page: block time of the submission (Unix seconds), chain, queue and index. */
export type WithdrawalCursor = [
  createdAt: string,
  chainId: number,
  queue: string,
  orderIndex: string,
]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function withdrawalListQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: ListParams,
): ListQuery<WithdrawalCursor> {
  return listQuery(context, { list: 'withdrawalRequests', keys: WITHDRAWAL_FILTER_KEYS, params })
}

/** The columns that can lead a list, the best first: fewest requests share a value of the first. */
const LEADS = ['txHash', 'orderIndex', 'userAddress', 'receiverAddress', 'vaultAddress'] as const
export type Lead = (typeof LEADS)[number]

/** The values that a filter fixes: every match has them. */
type Pins = { [Key in Lead]?: string }

/** The requests that a list has to look at. */
export type WithdrawalPlan = {
  /** The column whose index gives the candidates; null for the index of all requests. */
  lead: Lead | null
  pins: Pins
  /** The chains and states that can match; candidates are of these alone. */
  chainIds: number[]
  statuses: WithdrawalStatus[]
  /** Whether every candidate matches, so that a page needs no more candidates than its size. */
  isLed: boolean
}

export function planWithdrawalList(book: AddressBook, filter: Filter | null): WithdrawalPlan {
  const judge = (known: Record<string, FilterValue>) =>
    filter === null ? true : judgeFilter(filter, known)
  const pins = pinsOf(filter)
  const possible = earnPlaces(book, filter, pins.vaultAddress).flatMap((place) =>
    WITHDRAWAL_STATUSES.map((status) => ({ ...place, status })).filter(
      (known) => judge({ ...pins, ...known }) !== false,
    ),
  )
  const chainIds = [...new Set(possible.map(({ chainId }) => chainId))].sort((a, b) => a - b)
  const statuses = WITHDRAWAL_STATUSES.filter((status) =>
    possible.some((known) => known.status === status),
  )
  const lead = LEADS.find((key) => pins[key] !== undefined) ?? null
  const led = lead === null ? {} : { [lead]: pins[lead] ?? '' }
  const isLed = chainIds.every((chainId) =>
    statuses.every((status) => judge({ ...led, chainId, status }) === true),
  )
  return { lead, pins, chainIds, statuses, isLed }
}

function pinsOf(filter: Filter | null): Pins {
  if (filter === null) return {}
  const pinned = LEADS.flatMap((key) => {
    const value = pinnedValue(filter, key)
    return value === null ? [] : [[key, String(value)]]
  })
  return Object.fromEntries(pinned)
}
