import { invalidFields } from '../../error/serviceError.ts'
import { pinnedValue } from '../../filter/filter.ts'
import { type ListParams, listQuery } from '../../page/listQuery.ts'
import { backwardsViolations, type TimeRange } from '../../page/timeRange.ts'
import { ACTIVITY_TYPES } from './activity.ts'

/** `startTime` is exclusive, `endTime` inclusive. */
export type ActivityParams = ListParams & TimeRange

/** The last activity of a page. `part` is 1 for the receiving side of a transfer, else 0. */
export type ActivityCursor = [
  timestamp: string,
  chainId: string,
  blockNumber: string,
  logIndex: string,
  part: string,
]

/** The list's arguments, checked. Throws `INVALID_FILTER`, `INVALID_PAGE_TOKEN` or `INVALID_FIELD`. */
export const activityListQuery = listQuery<ActivityCursor, ActivityParams>({
  list: 'activity',
  keys: {
    userAddress: { type: 'address' },
    vaultAddress: { type: 'address' },
    chainId: { type: 'integer' },
    type: { type: 'enum', values: ACTIVITY_TYPES },
  },
  bound: ({ startTime = null, endTime = null }) => [startTime, endTime],
  violations: backwardsViolations,
  // A list over all users and vaults would have no index.
  refuse: (filter) => {
    if (pinnedValue(filter, 'userAddress') ?? pinnedValue(filter, 'vaultAddress')) return undefined
    const description = 'expected `userAddress = …` or `vaultAddress = …`, not inside an OR'
    return invalidFields([{ field: 'filter', description }], 'INVALID_FILTER')
  },
})
