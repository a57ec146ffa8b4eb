import { depositReceivers, depositViolations } from '../../domain/earn/deposits/depositParams.ts'
import { journeyViolations } from '../../domain/journey/journeyParams.ts'
import {
  type JourneyQuote,
  type JourneyQuoteParams,
  quoteJourney,
} from '../../domain/journey/quoteJourney.ts'
import { receiverViolations } from '../../domain/receiver/refuseReceivers.ts'
import { checkedBy } from '../argumentChecks.ts'
import { optional, required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { JourneyFeesRef } from '../previewedTransaction.ts'
import { withoutNulls } from '../withoutNulls.ts'

const JourneyQuoteRef = builder.objectRef<JourneyQuote>('JourneyQuote').implement({
  description:
    'The costs and the yield of a deposit from another chain or token, if it were sent now. No order is signed.',
  fields: fieldsOf(() => ({
    offerAmount: nonNull.amount(
      'The amount that the user pays, with the fees of the order in it, in base units of `sourceAsset`.',
    ),
    amountOut: nonNull.amount(
      'The amount that arrives at the vault, in base units of `depositAsset`.',
    ),
    fees: nonNull.of(JourneyFeesRef, 'The fees of both legs.'),
    expectedShares: nonNull.amount(
      'The shares that the deposit mints, after the fee, at the present rate.',
    ),
    minimumShares: nonNull.amount(
      'The fewest shares that the deposit accepts, if the rate stays: `expectedShares` less the slippage.',
    ),
    exchangeRateToBase: nonNull.string(
      'The value of one whole share in the base token, in whole units.',
    ),
    expectedBy: nullable.dateTime(
      'The time up to which nine of ten journeys like this one, sent now, are in the vault. Null while the route or the keeper has no history.',
    ),
    destinationPaused: nonNull.boolean(
      "Whether the destination's station is paused. The order would wait there until it runs again.",
    ),
  })),
})

queryField('journeyQuote', {
  type: JourneyQuoteRef,
  complexity: readCost('preparation'),
  description:
    'The figures of a deposit from another chain or token, to show until the user acts: no order is signed, and nothing is registered or counted in the cap of the route. `deposit` prepares the transaction, with the same parameters. Errors: those of `deposit`, except `ROUTE_EXHAUSTED` and `SIMULATION_FAILED`.',
  args: {
    vaultAddress: required.payableAddress('The address of the vault.'),
    depositAsset: required.payableAddress('The address of the token that the vault gets.'),
    depositAmount: optional.amount(
      'The amount that the user pays, in base units of `sourceAsset`. Required unless `wantShares` is given.',
    ),
    userAddress: required.payableAddress('The account that pays.'),
    chainId: required.chainId('The chain of the vault.'),
    sourceChainId: required.chainId('The chain on which the user pays.'),
    sourceAsset: required.payableAddress(
      'The token that the user pays with on `sourceChainId`: not `depositAsset` on the chain of the vault, which makes a plain deposit.',
    ),
    wantShares: optional.amount(
      'Instead of `depositAmount`: the shares that the user shall get, in base units. The order has the least offer that gives them at the present rate and fee.',
    ),
    customerId: optional.string('Your own id of the customer: 1 to 256 of a-zA-Z0-9_-.'),
    to: optional.payableAddress('The account that receives the shares. By default `userAddress`.'),
  },
  extensions: checkedBy<JourneyQuoteParams>((args, { named, context }) => [
    ...depositViolations(args, named),
    ...journeyViolations(args, named),
    ...receiverViolations(context.addressBook, depositReceivers(args)),
  ]),
  resolve: (_, args, context) => quoteJourney(context, withoutNulls(args)),
})
