import {
  endViolations,
  listTransitStops,
  openTransitRoute,
  type StopParams,
  stopTransitRoute,
  stopViolations,
  type TransitStop,
  type TransitStopPage,
  transitStopQuery,
} from '../../../domain/transit/signing/transitStops.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { optional, required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { mutationField } from '../../declareRootField.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { withoutNulls } from '../../withoutNulls.ts'

const TransitStopRef = builder.objectRef<TransitStop>('TransitStop').implement({
  description: "An operator's stop of the quotes of a route, or of all routes.",
  fields: fieldsOf(() => ({
    sourceChainId: nullable.int('The source chain. Null, as all ends, in the stop of all routes.'),
    offerAsset: nullable.address('The token on the source chain.'),
    destinationChainId: nullable.int('The destination chain.'),
    wantAsset: nullable.address('The token on the destination chain.'),
    reason: nonNull.string('The reason, which callers see.'),
    actor: nonNull.string('Who stopped it: `member:<userId>`, `key:<public id>` or `cli:<user>`.'),
    stoppedAt: nonNull.dateTime('The time of the stop.'),
  })),
})

const TransitStopPageRef = pageRef<TransitStopPage>('TransitStopPage', {
  description: 'A page of stops, the oldest first.',
  fields: { stops: nonNull.of([TransitStopRef], 'The stops.') },
})

/** The ends of a route. All of them, or none for all routes. */
const endArguments = () => ({
  sourceChainId: optional.int('The source chain. Without all ends: all routes.'),
  offerAsset: optional.address('The token on the source chain.'),
  destinationChainId: optional.int('The destination chain.'),
  wantAsset: optional.address('The token on the destination chain.'),
})

listField('transitStops', {
  type: TransitStopPageRef,
  reads: 'index',
  description: 'The routes whose quotes are stopped, the oldest stop first. For operators.',
  query: transitStopQuery,
  list: listTransitStops,
})

mutationField('stopTransitRoute', {
  type: TransitStopRef,
  description:
    'Stops the quotes of a route, or of all routes, on every replica within 5 seconds. Quotes that were signed before can be submitted until they expire. For operators.',
  args: {
    reason: required.string('The reason, which callers see: one line of at most 200 characters.'),
    ...endArguments(),
  },
  extensions: checkedBy<StopParams>((args, { named }) => stopViolations(args, named)),
  resolve: (_, args, context) => stopTransitRoute(context, withoutNulls(args)),
})

mutationField('openTransitRoute', {
  type: TransitStopRef,
  description:
    'Ends the stop of a route, or the one of all routes. The stop of one route goes on while all are stopped, and after it. The answer is the ended stop. For operators.',
  args: endArguments(),
  extensions: checkedBy((_, { named }) => endViolations(named)),
  resolve: (_, args, context) => openTransitRoute(context, withoutNulls(args)),
})
