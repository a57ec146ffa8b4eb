import {
  type EventListParams,
  type EventPage,
  listEvents,
  type RecordedBody,
  refusedAfter,
} from '../../domain/webhook/listEvents.ts'
import { checkedBy } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../fieldCost.ts'
import { pageSizeArgument } from '../listArguments.ts'

const RecordedEventRef = builder.objectRef<RecordedBody>('RecordedEvent').implement({
  description: 'An event and its number among the events of the organization.',
  fields: (t) => ({
    organizationSequence: t.string({
      description: 'The number of the event, counted per organization from 1 without gaps.',
      resolve: ({ organizationSequence }) => String(organizationSequence),
    }),
    event: t.expose('event', {
      type: 'EventBody',
      description: 'The event, as a webhook sends it.',
    }),
  }),
})

const EventPageRef = builder.objectRef<EventPage>('EventPage').implement({
  description: 'A page of events, in the order in which they were recorded.',
  fields: (t) => ({
    events: t.expose('events', { type: [RecordedEventRef], description: 'The events.' }),
    nextAfter: t.exposeString('nextAfter', {
      description: '`after` of the next request, now or later.',
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether more events are recorded already.',
    }),
  }),
})

builder.queryField('events', (t) =>
  t.field({
    type: EventPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description:
      'Every event of your organization, in the order in which they were recorded, whether it was delivered or not.',
    args: {
      after: t.arg.string({
        required: true,
        defaultValue: '0',
        description:
          'The `organizationSequence` of the last event that you have. The answer begins after it. 0 begins with the first event.',
      }),
      ...pageSizeArgument(),
    },
    extensions: checkedBy<EventListParams>(
      ({ after }) => refusedAfter(after)?.fieldViolations ?? [],
    ),
    resolve: (_, params, context) => listEvents(context, params),
  }),
)
