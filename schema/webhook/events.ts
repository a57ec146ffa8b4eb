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
  description: "An event and its place among the organization's.",
  fields: (t) => ({
    organizationSequence: t.string({
      description: 'Counted per organization, from 1, without gaps.',
      resolve: ({ organizationSequence }) => String(organizationSequence),
    }),
    event: t.expose('event', { type: 'EventBody', description: 'What webhooks send.' }),
  }),
})

const EventPageRef = builder.objectRef<EventPage>('EventPage').implement({
  description: 'Events in the order in which they were recorded.',
  fields: (t) => ({
    events: t.expose('events', { type: [RecordedEventRef], description: 'The events.' }),
    nextAfter: t.exposeString('nextAfter', {
      description: '`after` of the next request, now or later.',
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are more already.' }),
  }),
})

builder.queryField('events', (t) =>
  t.field({
    type: EventPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'Every event of the organization, whether it was delivered anywhere or not.',
    args: {
      after: t.arg.string({
        required: true,
        defaultValue: '0',
        description: 'The `organizationSequence` after which to begin; 0 for the first.',
      }),
      ...pageSizeArgument(),
    },
    extensions: checkedBy<EventListParams>(
      ({ after }) => refusedAfter(after)?.fieldViolations ?? [],
    ),
    resolve: (_, params, context) => listEvents(context, params),
  }),
)
