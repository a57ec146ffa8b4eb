import type { CallPreview, PreviewedCall, ShareRemainder } from '../domain/call/preparedCall.ts'
import type { PreparedJourney } from '../domain/journey/prepareJourney.ts'
import { builder } from './builder.ts'
import { warningsField } from './callWarning.ts'
import { deprecated } from './deprecations.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'
import { PreparedTransactionRef } from './preparedTransaction.ts'

type Fee = NonNullable<CallPreview['fee']>

const PreviewFeeRef = builder.objectRef<Fee>('PreviewFee').implement({
  description: 'The fee of a deposit or of a withdrawal request.',
  fields: fieldsOf(() => ({
    amount: nonNull.amount('The fee, in base units.'),
    asset: nonNull.address(
      'The token in which it is taken: the deposited one, or the vault for shares.',
    ),
  })),
})

const PreviewRef = builder.objectRef<CallPreview>('TransactionPreview').implement({
  description:
    "What is known now of the outcome of a prepared transaction. Amounts are in base units, by the contracts' arithmetic at the block that was read.",
  fields: fieldsOf(() => ({
    expectedShares: nullable.amount(
      'The shares that the deposit mints for the recipient, after the fee, at the present rate. Null for a withdrawal.',
    ),
    minimumShares: nullable.amount(
      'The fewest shares that the deposit accepts, or it reverts: `expectedShares` less the slippage. Null for a withdrawal.',
    ),
    expectedAssets: nullable.amount(
      'The amount of `wantAsset` that the withdrawal pays at the present rate, after the fee. A request that waits is paid at the rate of its payment. Null for a deposit, and while the accountant has no rate.',
    ),
    minimumAssets: nullable.amount(
      'The smallest amount that a withdrawal at once accepts, or it reverts. Null for a deposit, and for a request, which has no minimum.',
    ),
    fee: nullable.of(
      PreviewFeeRef,
      'The fee, which is 0 without one. Null while the fee module refuses to name it.',
    ),
    exchangeRateToBase: nullable.string(
      'The value of one whole share in the base token, in whole units. Null where the accountant has none.',
    ),
    validUntil: nullable.dateTime(
      'The time from which the chain refuses a part of the transaction: the earlier of the deadline of the permit and the expiration of the attestation. Null if nothing in it expires.',
    ),
    gasLimit: nullable.amount(
      "A gas limit to send with: the node's estimate and 20 %. It assumes the balance and the allowance, so it is there before the approval too. Null where it cannot be estimated: the node cannot estimate with these assumptions, takes too long for it, or the call would fail now.",
    ),
  })),
})

const ShareRemainderRef = builder.objectRef<ShareRemainder>('ShareRemainder').implement({
  description: 'The shares that an account keeps after a withdrawal.',
  fields: fieldsOf(() => ({
    shares: nonNull.amount('The shares, in base units, by the balance at the block that was read.'),
    isWithdrawable: nonNull.boolean(
      'Whether they are enough for a withdrawal of the same asset alone: not below the minimum of the queue, and worth more than its fee. False for 0 shares.',
    ),
  })),
})

export const JourneyFeesRef = builder.objectRef<PreparedJourney['fees']>('JourneyFees').implement({
  description: 'The fees of a journey.',
  fields: fieldsOf(() => ({
    transit: nonNull.of(
      PreviewFeeRef,
      'The fees of the order, in `sourceAsset`. Of a prepared journey they are signed.',
    ),
    vault: nonNull.of(PreviewFeeRef, 'The fee of the vault for what arrives, as it is now.'),
  })),
})

const PreparedJourneyRef = builder.objectRef<PreparedJourney>('PreparedJourney').implement({
  description:
    'The way of a deposit from another chain or token. `amountOut` is signed. The shares are not: the vault decides by its rate, fee and cap when the money arrives, and a deposit that it refuses then is refunded to the user.',
  fields: fieldsOf(() => ({
    id: nonNull.hash(
      'The id of the order, and of the journey. It can be requested before it is sent.',
    ),
    expiresAt: nonNull.dateTime('The signed deadline. From then on the station refuses the order.'),
    smartDepositAddress: nonNull.address(
      "The receiver of the order: the user's smart deposit address.",
    ),
    offerAmount: nonNull.amount(
      'The amount that the user pays, with the fees of the order in it, in base units of `sourceAsset`.',
    ),
    amountOut: nonNull.amount('The amount that arrives there, in base units of `depositAsset`.'),
    fees: nonNull.of(JourneyFeesRef, 'The fees of both legs.'),
    expectedBy: nullable.dateTime(
      'The time up to which nine of ten journeys like this one, sent now, are in the vault. Null while the route or the keeper has no history.',
    ),
  })),
})

/** The fields of the transaction are here too, because clients already read them here. */
export const PreviewedTransactionRef = builder
  .objectRef<PreviewedCall & { journey?: PreparedJourney }>('PreviewedTransaction')
  .implement({
    description: 'A transaction for the user to sign and send, and what is known of its outcome.',
    fields: fieldsOf(() => ({
      transaction: nonNull.of(PreparedTransactionRef, 'The transaction.'),
      preview: nonNull.of(PreviewRef, 'Its outcome.'),
      remainder: nullable.of(
        ShareRemainderRef,
        'What a withdrawal leaves to `userAddress`. Null for a deposit.',
      ),
      journey: nullable.of(
        PreparedJourneyRef,
        'The way of a deposit from another chain or token. Null for all else.',
      ),
      warnings: warningsField,
      to: nonNull
        .address('The contract to call.', deprecated('PreviewedTransaction.to'))
        .by(({ transaction }) => transaction.to),
      value: nonNull
        .amount(
          'Native currency to send with the call, in wei.',
          deprecated('PreviewedTransaction.value'),
        )
        .by(({ transaction }) => transaction.value),
      data: nonNull
        .string('The calldata.', deprecated('PreviewedTransaction.data'))
        .by(({ transaction }) => transaction.data),
      abi: nonNull
        .of(['String'], 'ABI fragments of the call.', deprecated('PreviewedTransaction.abi'))
        .by(({ transaction }) => [...transaction.abi]),
      functionName: nonNull
        .string(
          'The name of the function to call.',
          deprecated('PreviewedTransaction.functionName'),
        )
        .by(({ transaction }) => transaction.functionName),
      args: nonNull
        .of('CallArguments', 'The arguments of the call.', deprecated('PreviewedTransaction.args'))
        .by(({ transaction }) => transaction.args),
    })),
  })
