import { eventTypesParam } from '../../domain/webhook/endpointParams.ts'
import {
  cancelReplay,
  getReplay,
  startReplay,
  type WebhookReplay,
} from '../../domain/webhook/replay.ts'
import { optional } from '../arguments.ts'
import { builder } from '../builder.ts'
import { mutationField, queryField } from '../declareRootField.ts'
import { readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull } from '../fieldsOf.ts'
import { withoutNulls } from '../withoutNulls.ts'
import { endpointIdArgument, endpointOfCaller, managedEndpoint } from './endpoint.ts'

const ReplayStatusRef = builder.enumType('WebhookReplayStatus', {
  description: 'The state of a replay of events to a webhook endpoint.',
  values: {
    RUNNING: { value: 'running', description: 'Events are found and sent.' },
    PAUSED: { value: 'paused', description: 'The endpoint is disabled. Enable it to go on.' },
    COMPLETED: { value: 'completed', description: 'Each event was delivered, or is dead.' },
    CANCELED: { value: 'canceled', description: 'It was canceled.' },
  } as const,
})

const ReplayRef = builder.objectRef<WebhookReplay>('WebhookReplay').implement({
  description: 'A replay: events of the log that are sent to a webhook endpoint again, in order.',
  fields: fieldsOf(() => ({
    id: nonNull.string('The id of the replay.'),
    status: nonNull.of(ReplayStatusRef, 'The state of the replay.'),
    eventCount: nonNull.int(
      'The events to send that were found so far: all, once `position` is the end.',
    ),
    sentCount: nonNull.int('Those that were delivered.'),
    failedCount: nonNull.int('Those whose delivery is dead.'),
    afterSequence: nonNull
      .string('The `organizationSequence` after which the replay begins.')
      .by(({ afterSequence }) => String(afterSequence)),
    endSequence: nonNull
      .string('The `organizationSequence` of the last event of the replay.')
      .by(({ endSequence }) => String(endSequence)),
    position: nonNull
      .string('The `organizationSequence` up to which the replay has looked for events.')
      .by(({ position }) => String(position)),
    createdAt: nonNull.dateTime('The time at which the replay began.'),
  })),
})

queryField('webhookReplay', {
  type: ReplayRef,
  complexity: readCost('index'),
  description: 'The newest replay to a webhook endpoint, and how far it is.',
  args: endpointIdArgument(),
  resolve: (_, { endpointId }, context) =>
    getReplay(context.sql, endpointOfCaller(context, endpointId)),
})

mutationField('startWebhookReplay', {
  type: ReplayRef,
  description:
    'Sends events of the log to a webhook endpoint again, in order per resource. One replay per endpoint at a time.',
  args: {
    ...endpointIdArgument(),
    after: optional.string(
      'The `organizationSequence` after which the replay begins. Either this or `startTime` is needed. One below the oldest event that is kept is a 400 `EVENTS_EXPIRED`.',
    ),
    startTime: optional.unixTime('Only events that were recorded at this time or later.'),
    endTime: optional.unixTime(
      'Only events that were recorded before this time. By default all until now.',
    ),
    eventTypes: optional.of(
      ['String'],
      'Only these types of events, of those that the endpoint selects.',
      { extensions: { value: eventTypesParam } },
    ),
    onlyFailed: optional.boolean(
      'Only events whose delivery to the endpoint is dead. By default all.',
    ),
  },
  resolve: (_, { endpointId, onlyFailed, ...given }, context) => {
    const params = { ...withoutNulls(given), onlyFailed: onlyFailed ?? false }
    return startReplay(...managedEndpoint(context, endpointId), params)
  },
})

mutationField('cancelWebhookReplay', {
  type: ReplayRef,
  description:
    'Ends the replay to a webhook endpoint. The few hundred events that wait for delivery already are still sent.',
  args: endpointIdArgument(),
  resolve: (_, { endpointId }, context) => cancelReplay(...managedEndpoint(context, endpointId)),
})
