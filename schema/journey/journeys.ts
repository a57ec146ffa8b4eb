import { type JourneyPage, journeyQuery, listJourneys } from '../../domain/journey/listJourneys.ts'
import { required } from '../arguments.ts'
import { nonNull } from '../fieldsOf.ts'
import { listArguments } from '../listArguments.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { JourneyRef } from './journey.ts'
import { journeyAssets } from './journeyAssets.ts'

const JourneyPageRef = pageRef<JourneyPage>('JourneyPage', {
  description: 'A page of journeys, the newest first.',
  fields: { journeys: nonNull.of([JourneyRef], 'The journeys.') },
  tokens: {
    description: 'The tokens of this page, and the shares.',
    of: ({ journeys }) => journeyAssets(journeys),
  },
})

listField('journeys', {
  type: JourneyPageRef,
  reads: 'index',
  description:
    "The journeys to one user's smart deposit addresses of your organization, the newest order first.",
  args: {
    userAddress: required.payableAddress('The account that receives the shares.'),
    ...listArguments(journeyQuery.keys),
  },
  query: journeyQuery,
  list: listJourneys,
})
