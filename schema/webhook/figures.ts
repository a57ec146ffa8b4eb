import { requirePermission } from '../../domain/access/requirePermission.ts'
import { type DeliveryFigures, readDeliveryFigures } from '../../domain/webhook/deliveryFigures.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { endpointIdArgument } from './endpoint.ts'

const FailureCountRef = builder
  .objectRef<DeliveryFigures['failures'][number]>('WebhookFailureCount')
  .implement({
    description: 'How often attempts failed for one cause.',
    fields: (t) => ({
      cause: t.exposeString('cause', {
        description: 'The cause in words, as `error` of an attempt. The text may change.',
      }),
      count: t.exposeInt('count', { description: 'The number of attempts.' }),
    }),
  })

const FiguresRef = builder.objectRef<DeliveryFigures>('WebhookFigures').implement({
  description: 'How the deliveries to a webhook endpoint do.',
  fields: (t) => ({
    windowSeconds: t.exposeInt('windowSeconds', {
      description: 'The seconds until now to which the attempts belong.',
    }),
    attempts: t.exposeInt('attempts', {
      description: 'The attempts. Of a delivery only the newest 24 count.',
    }),
    delivered: t.exposeInt('delivered', { description: 'Those that were answered 2xx.' }),
    failed: t.exposeInt('failed', { description: 'The others.' }),
    failures: t.expose('failures', {
      type: [FailureCountRef],
      complexity: listCost(10),
      description: 'The failed attempts by cause, the ten most frequent causes first.',
    }),
    p50Ms: t.exposeInt('p50Ms', {
      nullable: true,
      description: 'Half of the answers took at most so many milliseconds. Null without answers.',
    }),
    p95Ms: t.exposeInt('p95Ms', {
      nullable: true,
      description: 'Of 100 answers, 95 took at most so many milliseconds. Null without answers.',
    }),
    waiting: t.exposeInt('waiting', { description: 'The deliveries that wait now.' }),
    dead: t.exposeInt('dead', { description: 'The deliveries that are dead now.' }),
    oldestWaitingAt: t.expose('oldestWaitingAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time since which the oldest delivery waits. Null where none waits.',
    }),
  }),
})

queryField('webhookFigures', {
  type: FiguresRef,
  complexity: readCost('index'),
  description: 'How the deliveries to a webhook endpoint did in the last day.',
  args: endpointIdArgument(),
  resolve: (_, { endpointId }, context) => {
    const { organizationId } = requirePermission(context.caller, 'webhooks')
    return readDeliveryFigures(context.sql, { organizationId, endpointId })
  },
})
