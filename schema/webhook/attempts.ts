import {
  listAttempts,
  MOST_LISTED_ATTEMPTS,
  type WebhookAttempt,
  type WebhookHeader,
} from '../../domain/webhook/listAttempts.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { eventIdArgument } from './deliveries.ts'
import { endpointIdArgument, endpointOfCaller } from './endpoint.ts'

const WebhookHeaderRef = builder.objectRef<WebhookHeader>('WebhookHeader').implement({
  description: 'A header of a request to a webhook endpoint.',
  fields: fieldsOf(() => ({
    name: nonNull.string('The name, in lower case.'),
    value: nonNull.string('The value, as it was sent.'),
  })),
})

const WebhookAttemptRef = builder.objectRef<WebhookAttempt>('WebhookAttempt').implement({
  description:
    "One attempt of a webhook delivery: the request and the answer. The request's body is the event.",
  fields: fieldsOf(() => ({
    startedAt: nonNull.dateTime('The time at which the attempt began.'),
    durationMs: nonNull.int(
      'Milliseconds until the end of the answer, or until the attempt failed.',
    ),
    requestUrl: nullable.string(
      'The URL of the request. Null where the attempt ended before a request was made, for example because the host did not resolve.',
    ),
    requestHeaders: nonNull.of(
      [WebhookHeaderRef],
      'The headers of the request. Empty where `requestUrl` is null.',
      { complexity: listCost(8) },
    ),
    responseStatus: nullable.int(
      'The HTTP status of the answer, also of one that did not end. Null where none began.',
    ),
    responseBody: nullable.string(
      "The first 1,024 bytes of the answer's body as text. Bytes that are no text are U+FFFD, your signing secrets and the values of your own headers asterisks. Null where no answer began.",
    ),
    isResponseBodyTruncated: nonNull.boolean(
      "Whether the answer's body has more than `responseBody`, or did not end.",
    ),
    error: nullable.string(
      'The cause of the failure in words. The text may change. Null where it was delivered.',
    ),
  })),
})

queryField('webhookAttempts', {
  type: [WebhookAttemptRef],
  complexity: { ...readCost('index'), multiplier: MOST_LISTED_ATTEMPTS },
  description: `The attempts of a webhook delivery, the newest first: at most the newest ${MOST_LISTED_ATTEMPTS}, also those before the event was sent again.`,
  args: { ...endpointIdArgument(), ...eventIdArgument() },
  resolve: (_, { endpointId, eventId }, context) =>
    listAttempts(context.sql, { ...endpointOfCaller(context, endpointId), eventId }),
})
