import { INDEXED_ACTIVITIES } from '../../../db/readViews/activityFunctions.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { SharedServices } from '../../context.ts'
import { attempt, refuseTogether } from '../../error/refuseTogether.ts'
import { invalidFields, type ServiceError } from '../../error/serviceError.ts'
import { type Filter, type FilterKeys, pinnedValue } from '../../filter/filter.ts'
import { judgeFilter } from '../../filter/judgeFilter.ts'
import { type ListParams, type ListQuery, listQuery } from '../../page/listQuery.ts'
import { backwardsViolations } from '../../page/timeRange.ts'
import { earnPlaces } from '../vaults/earnPlaces.ts'
import { ACTIVITY_TYPES, type ActivityType } from './activity.ts'

/** The filter keys of the list. */
export const ACTIVITY_FILTER_KEYS = {
  userAddress: { type: 'address' },
  vaultAddress: { type: 'address' },
  chainId: { type: 'integer' },
  type: { type: 'enum', values: ACTIVITY_TYPES },
} as const satisfies FilterKeys

/** Times are Unix seconds. */
export type ActivityParams = ListParams & {
  /** Exclusive, while `endTime` is inclusive. */
  startTime?: number | undefined
  endTime?: number | undefined
}

/** The last activity of a page. `part` is 1 for the receiving side of a transfer, else 0. */
export type ActivityCursor = [
  timestamp: string,
  chainId: number,
  blockNumber: string,
  logIndex: number,
  part: number,
]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export function activityListQuery(
  context: Pick<SharedServices, 'appSecret'>,
  params: ActivityParams,
): ListQuery<ActivityCursor> {
  const { startTime = null, endTime = null } = params
  const wrong =
    startTime !== null && endTime !== null ? backwardsViolations(startTime, endTime) : []
  const query = attempt(() =>
    listQuery<ActivityCursor>(context, {
      list: 'activity',
      keys: ACTIVITY_FILTER_KEYS,
      params,
      bound: [startTime, endTime],
      refuse: refuseUnbound,
    }),
  )
  refuseTogether([wrong.length > 0 ? invalidFields(wrong) : undefined, query.refusal])
  if (!query.value) throw new Error('Invariant(activityListQuery): a query without errors has one')
  return query.value
}

/** A list over all users and vaults would have no index. */
function refuseUnbound(filter: Filter | null): ServiceError | undefined {
  if (filter !== null && leadOf(filter) !== null) return undefined
  const description = 'expected `userAddress = …` or `vaultAddress = …`, not inside an OR'
  return invalidFields([{ field: 'filter', description }], 'INVALID_FILTER')
}

/** The column whose index gives the candidates, the best first. */
const LEADS = { userAddress: 'user', vaultAddress: 'vault' } as const
type LeadKey = keyof typeof LEADS

function leadOf(filter: Filter): { key: LeadKey; value: string } | null {
  // Cast, because `Object.keys` gives the keys as texts.
  for (const key of Object.keys(LEADS) as LeadKey[]) {
    const value = pinnedValue(filter, key)
    if (value !== null) return { key, value: String(value) }
  }
  return null
}

/** The activities that a list has to look at. */
export type ActivityPlan = {
  lead: 'user' | 'vault'
  value: string
  /** The chains and indexed types that can match; candidates are of these alone. */
  chainIds: number[]
  types: string[]
  /** Whether every candidate matches, so that a page needs no more candidates than its size. */
  isLed: boolean
}

export function planActivityList(book: AddressBook, filter: Filter): ActivityPlan {
  const lead = leadOf(filter)
  if (!lead) throw new Error('Invariant(planActivityList): a checked filter has a lead')
  const pins = pinsOf(filter)
  const possible = earnPlaces(book, filter, pins.vaultAddress).flatMap((place) =>
    ACTIVITY_TYPES.map((type) => ({ ...place, type })).filter(
      (known) => judgeFilter(filter, { ...pins, ...known }) !== false,
    ),
  )
  const chainIds = [...new Set(possible.map(({ chainId }) => chainId))].sort((a, b) => a - b)
  const types = INDEXED_ACTIVITIES.filter((type) =>
    possible.some((known) => indexedType(known.type) === type),
  )
  const listed = ACTIVITY_TYPES.filter((type) => types.some((one) => one === indexedType(type)))
  const led = { [lead.key]: lead.value }
  return {
    lead: LEADS[lead.key],
    value: lead.value,
    chainIds,
    types,
    isLed: chainIds.every((chainId) =>
      listed.every((type) => judgeFilter(filter, { ...led, chainId, type }) === true),
    ),
  }
}

/** A smart deposit is indexed as the deposit that it is; its payer shows what it was. */
function indexedType(type: ActivityType) {
  return type === 'SMART_DEPOSIT' ? 'DEPOSIT' : type
}

type Pins = { [Key in LeadKey]?: string }

/** The values that a filter fixes: every match has them. */
function pinsOf(filter: Filter): Pins {
  const pinned = Object.keys(LEADS).flatMap((key) => {
    const value = pinnedValue(filter, key)
    return value === null ? [] : [[key, String(value)]]
  })
  return Object.fromEntries(pinned)
}
