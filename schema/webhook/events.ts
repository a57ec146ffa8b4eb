import { EVENT_LIST_FILTER_KEYS, eventQuery } from '../../domain/webhook/eventQuery.ts'
import { type EventPage, listEvents } from '../../domain/webhook/listEvents.ts'
import type { RecordedBody } from '../../domain/webhook/selectEvents.ts'
import { optional } from '../arguments.ts'
import { builder } from '../builder.ts'
import { enumType } from '../enumType.ts'
import { fieldsOf, nonNull } from '../fieldsOf.ts'
import { filterArgument, pageSizeArgument } from '../listArguments.ts'
import { listField } from '../listField.ts'

const RecordedEventRef = builder.objectRef<RecordedBody>('RecordedEvent').implement({
  description: 'An event and its number among the events of the organization.',
  fields: fieldsOf(() => ({
    organizationSequence: nonNull
      .string('The number of the event, counted per organization from 1 without gaps.')
      .by(({ organizationSequence }) => String(organizationSequence)),
    event: nonNull.of('EventBody', 'The event, as a webhook sends it.'),
  })),
})

const EventPageRef = builder.objectRef<EventPage>('EventPage').implement({
  description: 'A page of events, in the order in which they were recorded.',
  fields: fieldsOf(() => ({
    events: nonNull.of([RecordedEventRef], 'The events.'),
    nextAfter: nonNull.string('`after` of the next request, now or later.'),
    hasMore: nonNull.boolean(
      'Whether more events are recorded already. With a filter: whether some may match.',
    ),
  })),
})

const EventListStartRef = enumType('EventListStart', {
  description: 'A place at which a list of events can begin.',
  values: { now: 'After the newest event.' },
})

listField('events', {
  type: EventPageRef,
  reads: 'index',
  description:
    'Every event of your organization, in the order in which they were recorded, whether it was delivered or not.',
  args: {
    after: optional.string(
      'The `organizationSequence` of the last event that you have. The answer begins after it. By default it begins with the oldest event that is kept. One above the newest event is refused; one below the oldest that is kept is a 400 `EVENTS_EXPIRED` with `oldestSequence`.',
    ),
    from: optional.of(
      EventListStartRef,
      '`now` begins after the newest event. Neither `after` nor `startTime` goes with it.',
    ),
    startTime: optional.unixTime('Only events that were recorded at this time or later.'),
    ...filterArgument(EVENT_LIST_FILTER_KEYS),
    ...pageSizeArgument(),
  },
  query: (_, params) => eventQuery(params),
  list: listEvents,
})
