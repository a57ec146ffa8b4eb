import {
  DEFAULT_INTERVAL,
  DEFAULT_LOOKBACK,
  intervalParam,
  lookbackParam,
} from '../../../domain/earn/series/seriesParameters.ts'
import type { SeriesParams } from '../../../domain/earn/series/seriesQuery.ts'
import { OLDEST_READ_SECONDS } from '../../../domain/earn/vaults/deploymentCache.ts'
import { DEPLOYMENT_FILTER_KEYS } from '../../../domain/earn/vaults/deploymentFilter.ts'
import { optional, required } from '../../arguments.ts'
import { enumType } from '../../enumType.ts'
import { listArguments } from '../../listArguments.ts'

const TimeOrderRef = enumType<SeriesParams['orderByTimestamp']>('TimeOrder', {
  description: 'The order of the rows by time.',
  values: {
    asc: 'The oldest row first.',
    desc: 'The newest row first.',
  },
})

/** The arguments of every series of vaults. */
export const seriesArguments = {
  ...listArguments(DEPLOYMENT_FILTER_KEYS),
  startTime: optional.unixTime('Rows are later than this time. Required with `endTime`.'),
  endTime: optional.unixTime('Rows are not later than this time. Required with `startTime`.'),
  lookback: required.int(
    "Seconds before each chain's indexed head. Ignored where `startTime` and `endTime` are given.",
    { defaultValue: DEFAULT_LOOKBACK, extensions: { value: lookbackParam } },
  ),
  interval: required.int(
    'Seconds between two rows, in full hours. The time of a row is a multiple of it.',
    { defaultValue: DEFAULT_INTERVAL, extensions: { value: intervalParam } },
  ),
  orderByTimestamp: required.of(TimeOrderRef, 'Whether the oldest or the newest row comes first.', {
    defaultValue: 'asc',
  }),
}

/** The argument for rows of now. `rows`: what such a row shows. */
export function includeCurrentArgument(rows: string) {
  return {
    includeCurrent: required.boolean(
      `Whether each vault also has a row of ${rows}, read from its chain at most ${OLDEST_READ_SECONDS} s before the answer. It is the newest row. With \`startTime\` and \`endTime\` it is there only if its time is between them.`,
      { defaultValue: true },
    ),
  }
}
