import { type DeliveryFigures, readDeliveryFigures } from '../../domain/webhook/deliveryFigures.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { endpointIdArgument, endpointOfCaller } from './endpoint.ts'

const FailureCountRef = builder
  .objectRef<DeliveryFigures['failures'][number]>('WebhookFailureCount')
  .implement({
    description: 'How often attempts failed for one cause.',
    fields: fieldsOf(() => ({
      cause: nonNull.string('The cause in words, as `error` of an attempt. The text may change.'),
      count: nonNull.int('The number of attempts.'),
    })),
  })

const FiguresRef = builder.objectRef<DeliveryFigures>('WebhookFigures').implement({
  description: 'How the deliveries to a webhook endpoint do.',
  fields: fieldsOf(() => ({
    windowSeconds: nonNull.int('The seconds until now to which the attempts belong.'),
    attempts: nonNull.int('The attempts. Of a delivery only the newest 24 count.'),
    delivered: nonNull.int('Those that were answered 2xx.'),
    failed: nonNull.int('The others.'),
    failures: nonNull.of(
      [FailureCountRef],
      'The failed attempts by cause, the ten most frequent causes first.',
      { complexity: listCost(10) },
    ),
    p50Ms: nullable.int(
      'Half of the answers took at most so many milliseconds. Null without answers.',
    ),
    p95Ms: nullable.int(
      'Of 100 answers, 95 took at most so many milliseconds. Null without answers.',
    ),
    waiting: nonNull.int('The deliveries that wait now.'),
    dead: nonNull.int('The deliveries that are dead now.'),
    oldestWaitingAt: nullable.dateTime(
      'The time since which the oldest delivery waits. Null where none waits.',
    ),
  })),
})

queryField('webhookFigures', {
  type: FiguresRef,
  complexity: readCost('index'),
  description: 'How the deliveries to a webhook endpoint did in the last day.',
  args: endpointIdArgument(),
  resolve: (_, { endpointId }, context) =>
    readDeliveryFigures(context.sql, endpointOfCaller(context, endpointId)),
})
