import { getJourney, journeyOfCaller } from '../../domain/journey/getJourney.ts'
import {
  isJourneyOver,
  type Journey,
  type JourneyStatus,
  type JourneyStep,
} from '../../domain/journey/journey.ts'
import { journeyExpectedBy, journeyExpectedShares } from '../../domain/journey/journeyOutlook.ts'
import { tokenMetadata } from '../../domain/token/tokenMetadata.ts'
import { amountOf } from '../amountOf.ts'
import { required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { enumType } from '../enumType.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { resourceOf, resourceStates } from '../resourceStates.ts'
import { SmartDepositRef } from '../smartDeposit/smartDeposit.ts'
import { TransitOrderRef } from '../transit/orders/order.ts'
import { journeyAssets } from './journeyAssets.ts'

const JourneyStatusRef = enumType<JourneyStatus>('JourneyStatus', {
  description:
    'The state of a journey. Where its order is paid in parts, it is that of the least advanced part.',
  values: {
    SENT: 'The order is submitted on the source chain.',
    BRIDGED: 'The order is on the destination chain, and not wholly paid.',
    ARRIVED: 'The money is at the smart deposit address.',
    DEPOSITED: 'The money is in the vault, and the user has the shares.',
    FINALIZED: "DEPOSITED, and deeper than the chain's finality depth.",
    REMOVED: 'The order was removed: the part that was not paid never arrives.',
    REFUNDED: 'The vault did not take the money. The user has it.',
    RECOVERED: 'The user may not hold the money. It is in the recovery wallet.',
    RETAINED: 'The money waits at the smart deposit address.',
  },
})

const JourneyLegRef = enumType<JourneyStep['leg']>('JourneyLeg', {
  description: 'A part of a journey.',
  values: {
    TRANSIT: 'The Transit order.',
    DEPOSIT: 'The smart deposit.',
  },
})

const JourneyStepRef = builder.objectRef<JourneyStep>('JourneyStep').implement({
  description: 'One step of a journey.',
  fields: fieldsOf(() => ({
    leg: nonNull.of(JourneyLegRef, 'The leg to which it belongs.'),
    step: nonNull.string(
      'A step of the order (`SUBMITTED` to `REMOVED`) or of the smart deposit (`PENDING`, `CONVERTING`, `CONFIRMED`, `FINALIZED`, `FAILED`, `REVERTED`).',
    ),
    chainId: nonNull.int('The chain on which it happened.'),
    txHash: nonNull.hash('The hash of its transaction.').from('transactionHash'),
    timestamp: nonNull.dateTime(
      'The time of its block; for a smart deposit, when it was recorded.',
    ),
    amount: nullable.amount(
      'The amount that moved, in base units of its token. Null where none did.',
    ),
  })),
})

export const JourneyRef = builder.objectRef<Journey>('Journey').implement({
  description:
    'A deposit that began on another chain or with another token: a Transit order to a smart deposit address, and the smart deposits of what it paid.',
  fields: fieldsOf(() => ({
    id: nonNull.hash('The id of the order.'),
    status: nonNull.of(JourneyStatusRef, 'The state of the journey.'),
    chainId: nonNull.int('The chain of the vault.').by(({ end }) => end.chainId),
    vaultAddress: nonNull.address('The address of the vault.').by(({ end }) => end.vaultAddress),
    depositAsset: nonNull
      .address('The token that goes into the vault.')
      .by(({ end }) => end.depositAsset),
    smartDepositAddress: nonNull
      .address('The smart deposit address, which is the receiver of the order.')
      .by(({ end }) => end.smartDepositAddress),
    userDestinationAddress: nonNull
      .address('The account that receives the shares.')
      .by(({ end }) => end.userDestinationAddress),
    customerId: nullable
      .string('Your own id of the customer. Null without one.')
      .by(({ end }) => end.customerId),
    order: nonNull.of(TransitOrderRef, 'The Transit order.'),
    smartDeposit: nullable
      .of(SmartDepositRef, 'The smart deposit of the last payment. Null until one arrived.')
      .by(({ smartDeposits }) => smartDeposits.at(-1) ?? null),
    smartDeposits: nonNull.of(
      [SmartDepositRef],
      'The smart deposits of all payments: an order may be paid in parts.',
      { complexity: listCost(1) },
    ),
    timeline: nonNull.of(
      [JourneyStepRef],
      'The steps of the order, then those of the smart deposits.',
      { complexity: listCost(8) },
    ),
    tokenMetadata: nonNull
      .of('TokenMetadataMap', 'The two tokens of the order, and the shares.')
      .by((journey, context) => tokenMetadata(context, journeyAssets([journey]))),
    expectedBy: nullable
      .dateTime(
        'The time up to which nine of ten journeys like this one are in the vault. Null once it is there or has ended otherwise, and while the route or the keeper has no history.',
      )
      .by((journey, context) => journeyExpectedBy(context, journey)),
    expectedShares: nullable
      .amount(
        'The shares that were minted or, before that, those that the amount due gives at the present rate and fee. Null where they are not known.',
        { extensions: amountOf('vaultAddress') },
      )
      .by((journey, context) => journeyExpectedShares(context, journey)),
  })),
})

const args = {
  id: required.hash('The id of the order.'),
}

queryField('journey', {
  type: JourneyRef,
  complexity: readCost('index'),
  description:
    'One journey by the id of its order. Errors: `JOURNEY_NOT_FOUND`, `NOT_YET_INDEXED`.',
  args,
  resolve: (given, { id }, context) => given.journey ?? getJourney(context, id),
})

builder.subscriptionField('journey', (t) =>
  t.field({
    type: JourneyRef,
    nullable: true,
    complexity: readCost('index'),
    description:
      'One journey: first its present state, then its state after each step of either leg. For an unknown id the stream waits until the order exists.',
    args,
    subscribe: (_, { id }, context) =>
      resourceStates({
        id: journeyOfCaller(context, id),
        watch: context.journeyWatch,
        read: () => getJourney(context, id),
        isLast: isJourneyOver,
        awaited: ['JOURNEY_NOT_FOUND', 'NOT_YET_INDEXED', 'INDEX_CATCHING_UP', 'RPC_UNAVAILABLE'],
      }),
    resolve: resourceOf,
  }),
)
