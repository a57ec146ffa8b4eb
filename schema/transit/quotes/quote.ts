import { receiverViolations } from '../../../domain/receiver/refuseReceivers.ts'
import {
  type QuoteParams,
  quoteReceivers,
  quoteViolations,
} from '../../../domain/transit/quotes/quoteParams.ts'
import {
  quoteTransitOrder,
  type TransitOrderQuote,
} from '../../../domain/transit/quotes/quoteTransitOrder.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { optional, required, SIGNATURE_ARGUMENT } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { warningsField } from '../../callWarning.ts'
import { queryField } from '../../declareRootField.ts'
import { readCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { PreparedTransactionRef } from '../../preparedTransaction.ts'
import { withoutNulls } from '../../withoutNulls.ts'
import { RouteLatencyRef } from '../routes/routeLatency.ts'

const TransitOrderQuoteRef = builder.objectRef<TransitOrderQuote>('TransitOrderQuote').implement({
  description:
    'A signed quote and the transaction that submits it, or the figures of an indicative quote. Fees are in base units of the offer asset. The account that sends the transaction pays the offer.',
  fields: fieldsOf(() => ({
    orderId: nullable.hash(
      'The id of the order. It can be requested before the order is sent. Null in an indicative quote.',
    ),
    expiresAt: nullable.dateTime(
      'The signed deadline. From then on the station refuses the quote. Null in an indicative quote.',
    ),
    offerAmount: nonNull
      .amount(
        'The amount that the order offers, in base units of the offer asset. The sender pays it, with all fees in it.',
      )
      .by(({ price }) => price.offerAmount),
    wantAmount: nullable.amount(
      'The amount that was asked for, in base units of the want asset; `amountOut` is at least this. Null for a quote by `offerAmount`.',
    ),
    amountOut: nonNull
      .amount('The amount that the receiver is paid, in base units of the want asset.')
      .by(({ price }) => price.amountOut),
    protocolFee: nonNull
      .amount('The sum of `fillCostFee` and `conversionRateFee`.')
      .by(({ price }) => price.protocolFee),
    fillCostFee: nonNull
      .amount('The estimated gas cost of an execution on the destination chain.')
      .by(({ price }) => price.fillCostFee),
    conversionRateFee: nonNull
      .amount('The conversion fee: `conversionRateHundredthsBps` of the offer.')
      .by(({ price }) => price.conversionRateFee),
    conversionRateHundredthsBps: nonNull.int(
      'The rate of the conversion fee in hundredths of a basis point: 500 is 5 basis points, 0.05 %.',
    ),
    integratorFee: nonNull
      .amount('The fee for the integrator. 0 without one.')
      .by(({ price }) => price.integratorFee),
    totalFees: nonNull
      .amount('The sum of `protocolFee` and `integratorFee`.')
      .by(({ price }) => price.totalFees),
    messageFee: nonNull.amount(
      'The native coin in wei that the transaction carries for the message to the destination chain: its `value`. 0 within one chain.',
    ),
    estimatedLatencyMs: nullable.float(
      'The median time in milliseconds from submission to full payment of recent orders, of a similar size where there are enough. Null without such orders.',
    ),
    latency: nullable.of(
      RouteLatencyRef,
      'Percentiles of the same time, over orders of any size. Null while the route has no executed order.',
    ),
    destinationPaused: nonNull.boolean(
      'Whether the station of the destination chain is paused. An order would wait there until it is not.',
    ),
    transaction: nullable.of(
      PreparedTransactionRef,
      'The transaction to send on the source chain. Null in an indicative quote.',
    ),
    warnings: warningsField,
  })),
})

queryField('transitOrderQuote', {
  type: TransitOrderQuoteRef,
  complexity: readCost('calls'),
  description:
    'A signed quote for a Transit order and the transaction that submits it. Errors: `ROUTE_NOT_FOUND` and others (docs/errors.md).',
  args: {
    userAddress: required.payableAddress(
      'The account that receives the want asset on the destination chain.',
    ),
    payerAddress: optional.payableAddress(
      'The account that sends the transaction and pays the offer: the permit and the approval are its own, and it is the sender of the simulation. By default `userAddress`.',
    ),
    offerAmount: optional.amount(
      "The amount to offer, in base units of the offer asset. At least the route's `minOrderSize`. Either this or `wantAmount`.",
    ),
    wantAmount: optional.amount(
      'Instead of `offerAmount`: the amount that the receiver shall get, in base units of the want asset. The quote has the least offer that pays out at least this.',
    ),
    offerAsset: required.payableAddress('The token to debit on the source chain.'),
    sourceChainId: required.chainId('The chain on which the order is submitted.'),
    wantAsset: required.payableAddress('The token to pay on the destination chain.'),
    destinationChainId: required.chainId('The chain on which the order is paid.'),
    permitSignature: optional.string(
      'The signature of an EIP-2612 permit: 65 bytes in hex. Required with `permitDeadline`.',
      SIGNATURE_ARGUMENT,
    ),
    permitDeadline: optional.unixTime(
      'The deadline of the signed permit, in Unix seconds. Required with `permitSignature`.',
    ),
    integratorFee: optional.amount(
      'A fee for the integrator, in base units of the offer asset. Required with `integratorFeeReceiver`.',
    ),
    integratorFeeReceiver: optional.payableAddress(
      'The account that receives `integratorFee`. Required with `integratorFee`.',
    ),
    distributorCode: optional.hash(
      "The distributor code, which tags the order. By default the organization's code.",
    ),
    simulate: required.boolean(
      'Whether to simulate the transaction first. The simulation assumes the balance and the allowance.',
      { defaultValue: false },
    ),
    indicative: required.boolean(
      "Whether to answer the figures alone: nothing is signed, and nothing counts in the route's cap of an hour. Ask for these until the user acts.",
      { defaultValue: false },
    ),
  },
  extensions: checkedBy<QuoteParams>((args, { named, context }) => [
    ...quoteViolations(args, named),
    ...receiverViolations(context.addressBook, quoteReceivers(args)),
  ]),
  resolve: (_, args, context) => quoteTransitOrder(context, withoutNulls(args)),
})
