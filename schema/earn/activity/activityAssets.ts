import type { Activity } from '../../../domain/earn/activity/activity.ts'

/** The shares and the asset of each activity. */
export function activityAssets(activities: Pick<Activity, 'chainId' | 'vault' | 'assetAddress'>[]) {
  return activities.flatMap(({ chainId, vault, assetAddress }) => [
    { chainId, address: vault },
    ...(assetAddress === null ? [] : [{ chainId, address: assetAddress }]),
  ])
}
