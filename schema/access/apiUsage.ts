import {
  type ApiUsage,
  type ApiUsagePage,
  listUsage,
  USAGE_FILTER_KEYS,
  usageIntervalParam,
  usageQuery,
} from '../../domain/usage/listUsage.ts'
import { USAGE_KEPT_DAYS } from '../../domain/usage/requestStore.ts'
import { HOUR_SECONDS } from '../../domain/usage/usageSums.ts'
import { optional, required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { fieldsOf, nonNull } from '../fieldsOf.ts'
import { filterArgument, pageArguments } from '../listArguments.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'

const ApiUsageRef = builder.objectRef<ApiUsage>('ApiUsage').implement({
  description: 'The requests of an API key in an hour or a day.',
  fields: fieldsOf(() => ({
    publicId: nonNull.string('The `publicId` of the key.'),
    startTime: nonNull.unixTime('The start of the interval, in UTC.'),
    endTime: nonNull.unixTime('The end of the interval.'),
    requests: nonNull.float('The number of requests.'),
    points: nonNull.float('The points that they cost of the quotas (docs/limits.md).'),
    refused: nonNull.float('The number of requests that a limit refused: 429.'),
    invalid: nonNull.float('The number of requests that were answered with another 4xx.'),
    failed: nonNull.float('The number of requests that were answered with a 5xx.'),
  })),
})

const ApiUsagePageRef = pageRef<ApiUsagePage>('ApiUsagePage', {
  description: 'A page of usage, sorted by time and key.',
  fields: {
    apiUsage: nonNull.of(
      [ApiUsageRef],
      'The usage. An interval in which a key sent nothing has no row.',
    ),
  },
})

listField('apiUsage', {
  type: ApiUsagePageRef,
  reads: 'history',
  description: `What the API keys of your organization asked, by hour or day: requests, points, refusals and failures. Kept for ${USAGE_KEPT_DAYS} days.`,
  args: {
    ...filterArgument(USAGE_FILTER_KEYS),
    startTime: optional.unixTime(
      'The start of the time; taken as the full interval before. Without it, a day before the end, or 30 days with `interval` 86400.',
    ),
    endTime: optional.unixTime(
      'The end of the time; taken as the full interval after. Without it, now.',
    ),
    interval: required.int('The seconds of a row: 3600 for an hour, 86400 for a day.', {
      defaultValue: HOUR_SECONDS,
      extensions: { value: usageIntervalParam },
    }),
    ...pageArguments(),
  },
  query: usageQuery,
  list: listUsage,
})
