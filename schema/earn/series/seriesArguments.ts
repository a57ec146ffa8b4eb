import {
  intervalParam,
  lookbackParam,
  orderByTimestampParam,
} from '../../../domain/earn/series/seriesParameters.ts'
import type { SeriesParams } from '../../../domain/earn/series/seriesQuery.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../../../domain/earn/vaults/deploymentFilter.ts'
import { builder } from '../../builder.ts'
import { listArguments, listParams } from '../../listArguments.ts'

const TimeOrderRef = builder.enumType('TimeOrder', {
  description: 'Which row comes first.',
  values: {
    asc: { description: 'The oldest.' },
    desc: { description: 'The newest.' },
  } satisfies Record<SeriesParams['orderByTimestamp'], { description: string }>,
})

/** What every series of vaults takes. */
export const seriesArguments = builder.args((t) => ({
  ...listArguments(DEPLOYMENT_FILTER_KEYS),
  startTime: t.field({
    type: 'UnixTime',
    description: 'Rows are after it; with `endTime`.',
  }),
  endTime: t.field({ type: 'UnixTime', description: 'Rows are up to it; with `startTime`.' }),
  lookback: t.int({
    required: true,
    defaultValue: lookbackParam.parse(undefined),
    description: String(lookbackParam.description),
  }),
  interval: t.int({
    required: true,
    defaultValue: intervalParam.parse(undefined),
    description: String(intervalParam.description),
  }),
  orderByTimestamp: t.field({
    type: TimeOrderRef,
    required: true,
    defaultValue: orderByTimestampParam.parse(undefined),
    description: String(orderByTimestampParam.description),
  }),
}))

type Given = Parameters<typeof listParams>[0] &
  Pick<SeriesParams, 'lookback' | 'interval' | 'orderByTimestamp'> & {
    startTime?: number | null | undefined
    endTime?: number | null | undefined
  }

/** Those arguments as the domain takes them: what was not given is absent. */
export function seriesParams({ startTime, endTime, ...given }: Given): SeriesParams {
  const { lookback, interval, orderByTimestamp } = given
  return {
    ...listParams(given),
    lookback,
    interval,
    orderByTimestamp,
    startTime: startTime ?? undefined,
    endTime: endTime ?? undefined,
  }
}
