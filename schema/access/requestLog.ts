import type { Outcome } from '../../domain/usage/answeredRequest.ts'
import {
  type LoggedRequest,
  listRequests,
  REQUESTS_KEPT_DAYS,
  type RequestLogPage,
  requestLogQuery,
} from '../../domain/usage/listRequests.ts'
import { optional } from '../arguments.ts'
import { builder } from '../builder.ts'
import { enumType } from '../enumType.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { filterArgument, pageArguments } from '../listArguments.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'

const RequestOutcomeRef = enumType<Outcome>('RequestOutcome', {
  description: 'The end of a request, by its HTTP status.',
  values: {
    ANSWERED: 'Below 400.',
    REFUSED: '429: a limit refused it.',
    INVALID: 'Another 4xx.',
    FAILED: '5xx.',
  },
})

const LoggedRequestRef = builder.objectRef<LoggedRequest>('LoggedRequest').implement({
  description: 'A request that was sent with an API key of your organization.',
  fields: fieldsOf(() => ({
    at: nonNull.dateTime('The time of the answer.'),
    requestId: nonNull.string('The `x-request-id` of the answer: yours, or a generated one.'),
    publicId: nonNull.string('The `publicId` of the key.'),
    method: nonNull.string('The HTTP method.'),
    route: nonNull.string('The pattern of the path, as in `/v1/transit/orders/{orderId}`.'),
    operation: nullable.string(
      'The operation of REST, or the name that you gave the GraphQL operation. Null without one.',
    ),
    status: nonNull.int('The HTTP status of the answer.'),
    outcome: nonNull.of(RequestOutcomeRef, 'The end of the request, by its status.'),
    reason: nullable.string(
      'The first reason of an error (docs/errors.md). Null without an error.',
    ),
    latencyMs: nonNull.int(
      'Milliseconds until the end of the answer, with the time for which it was held.',
    ),
    points: nonNull.int('The points that it cost of the quotas (docs/limits.md).'),
  })),
})

const RequestLogPageRef = pageRef<RequestLogPage>('RequestLogPage', {
  description: 'A page of requests, the newest first.',
  fields: { requests: nonNull.of([LoggedRequestRef], 'The requests.') },
})

listField('requestLog', {
  type: RequestLogPageRef,
  reads: 'index',
  description: `The requests that were sent with the API keys of your organization in the last ${REQUESTS_KEPT_DAYS} days, the newest first, a second or two after their answer. Without bodies, variables, query strings and addresses.`,
  args: {
    ...filterArgument(requestLogQuery.keys),
    startTime: optional.unixTime('Only requests that were answered at this time or later.'),
    endTime: optional.unixTime('Only requests that were answered before this time.'),
    ...pageArguments(),
  },
  query: requestLogQuery,
  list: listRequests,
})
