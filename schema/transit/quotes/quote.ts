import { chainIdParam } from '../../../domain/chain/chainId.ts'
import { type QuoteParams, quoteViolations } from '../../../domain/transit/quotes/quoteParams.ts'
import {
  quoteTransitOrder,
  type TransitOrderQuote,
} from '../../../domain/transit/quotes/quoteTransitOrder.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'
import { PreparedTransactionRef } from '../../preparedTransaction.ts'

const TransitOrderQuoteRef = builder.objectRef<TransitOrderQuote>('TransitOrderQuote').implement({
  description:
    'A signed quote. Fees are in offer-asset base units; whoever sends the transaction pays the offer.',
  fields: (t) => ({
    orderId: t.expose('orderId', {
      type: 'Hash',
      description: 'The id that the order will have: it can be polled before it is sent.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The signed deadline: from then on the chain refuses it.',
    }),
    amountOut: t.field({
      type: 'Amount',
      description: 'What the receiver gets, in want-asset base units.',
      resolve: ({ price }) => price.amountOut,
    }),
    protocolFee: t.field({
      type: 'Amount',
      description: '`fillCostFee` and `conversionRateFee`.',
      resolve: ({ price }) => price.protocolFee,
    }),
    fillCostFee: t.field({
      type: 'Amount',
      description: 'What delivering on the destination chain is estimated to cost.',
      resolve: ({ price }) => price.fillCostFee,
    }),
    conversionRateFee: t.field({
      type: 'Amount',
      description: 'The rate applied to the offer.',
      resolve: ({ price }) => price.conversionRateFee,
    }),
    conversionRateHundredthsBps: t.exposeInt('conversionRateHundredthsBps', {
      description: 'That rate in hundredths of a basis point: 500 is 5 bps, 0.05 %.',
    }),
    integratorFee: t.field({
      type: 'Amount',
      description: 'What the integrator gets; 0 without one.',
      resolve: ({ price }) => price.integratorFee,
    }),
    totalFees: t.field({
      type: 'Amount',
      description: '`protocolFee` and `integratorFee`.',
      resolve: ({ price }) => price.totalFees,
    }),
    estimatedLatencyMs: t.exposeFloat('estimatedLatencyMs', {
      nullable: true,
      description:
        'The median time to full execution of late, of orders of a similar size where there are enough; null before the first.',
    }),
    transaction: t.field({
      type: PreparedTransactionRef,
      description: 'What to send on the source chain.',
      resolve: (quote) => quote.transaction,
    }),
  }),
})

builder.queryField('transitOrderQuote', (t) =>
  t.field({
    type: TransitOrderQuoteRef,
    nullable: true,
    complexity: readCost('calls'),
    description: 'Prices, signs and prepares an order. Errors: `ROUTE_NOT_FOUND` and others.',
    args: {
      userAddress: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'Who receives the want asset on the destination chain.',
      }),
      offerAmount: t.arg({
        type: 'Amount',
        required: true,
        description: "At least the route's `minOrderSize`.",
      }),
      offerAsset: t.arg({ type: 'PayableAddress', required: true, description: 'On the source.' }),
      sourceChainId: t.arg.int({
        required: true,
        description: 'The chain on which the order is submitted.',
        extensions: { value: chainIdParam },
      }),
      wantAsset: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'On the destination.',
      }),
      destinationChainId: t.arg.int({
        required: true,
        description: 'The chain on which the order is paid.',
        extensions: { value: chainIdParam },
      }),
      permitSignature: t.arg.string({ description: '65 bytes, with `permitDeadline`.' }),
      permitDeadline: t.arg({ type: 'UnixTime', description: 'That of the signed permit.' }),
      integratorFee: t.arg({ type: 'Amount', description: 'With `integratorFeeReceiver`.' }),
      integratorFeeReceiver: t.arg({
        type: 'PayableAddress',
        description: 'Who gets `integratorFee`.',
      }),
      distributorCode: t.arg({
        type: 'Hash',
        description: "Tags the source of funds; by default the organization's code.",
      }),
      simulate: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          'Whether to run it against the chain first, as if balance and approval were there.',
      }),
    },
    extensions: checkedBy<QuoteParams>((args, { named }) => quoteViolations(args, named)),
    resolve: (_, { permitSignature, permitDeadline, ...params }, context) =>
      quoteTransitOrder(context, {
        ...params,
        permitSignature: permitSignature ?? undefined,
        permitDeadline: permitDeadline ?? undefined,
        integratorFee: params.integratorFee ?? undefined,
        integratorFeeReceiver: params.integratorFeeReceiver ?? undefined,
        distributorCode: params.distributorCode ?? undefined,
      }),
  }),
)
