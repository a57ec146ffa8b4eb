import type { Activity } from '../../../domain/earn/activity/activity.ts'
import type { ActivityParams } from '../../../domain/earn/activity/activityListQuery.ts'
import { type Given, listParams } from '../../listArguments.ts'

type ActivityArguments = Given & {
  startTime?: number | null | undefined
  endTime?: number | null | undefined
}

/** The arguments of the list as parameters of the domain, where null is absent. */
export function activityParams({ startTime, endTime, ...list }: ActivityArguments): ActivityParams {
  return {
    ...listParams(list),
    startTime: startTime ?? undefined,
    endTime: endTime ?? undefined,
  }
}

/** The shares and the asset of each activity. */
export function activityAssets(activities: Pick<Activity, 'chainId' | 'vault' | 'assetAddress'>[]) {
  return activities.flatMap(({ chainId, vault, assetAddress }) => [
    { chainId, address: vault },
    ...(assetAddress === null ? [] : [{ chainId, address: assetAddress }]),
  ])
}
