import type { CallPreview, PreviewedCall, ShareRemainder } from '../domain/call/preparedCall.ts'
import type { PreparedJourney } from '../domain/journey/prepareJourney.ts'
import { builder } from './builder.ts'
import { warningsField } from './callWarning.ts'
import { deprecated } from './deprecations.ts'
import { PreparedTransactionRef } from './preparedTransaction.ts'

type Fee = NonNullable<CallPreview['fee']>

const PreviewFeeRef = builder.objectRef<Fee>('PreviewFee').implement({
  description: 'The fee of a deposit or of a withdrawal request.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Amount', description: 'The fee, in base units.' }),
    asset: t.expose('asset', {
      type: 'Address',
      description: 'The token in which it is taken: the deposited one, or the vault for shares.',
    }),
  }),
})

const PreviewRef = builder.objectRef<CallPreview>('TransactionPreview').implement({
  description:
    "What is known now of the outcome of a prepared transaction. Amounts are in base units, by the contracts' arithmetic at the block that was read.",
  fields: (t) => ({
    expectedShares: t.expose('expectedShares', {
      type: 'Amount',
      nullable: true,
      description:
        'The shares that the deposit mints for the recipient, after the fee, at the present rate. Null for a withdrawal.',
    }),
    minimumShares: t.expose('minimumShares', {
      type: 'Amount',
      nullable: true,
      description:
        'The fewest shares that the deposit accepts, or it reverts: `expectedShares` less the slippage. Null for a withdrawal.',
    }),
    expectedAssets: t.expose('expectedAssets', {
      type: 'Amount',
      nullable: true,
      description:
        'The amount of `wantAsset` that the withdrawal pays at the present rate, after the fee. A request that waits is paid at the rate of its payment. Null for a deposit, and while the accountant has no rate.',
    }),
    minimumAssets: t.expose('minimumAssets', {
      type: 'Amount',
      nullable: true,
      description:
        'The smallest amount that a withdrawal at once accepts, or it reverts. Null for a deposit, and for a request, which has no minimum.',
    }),
    fee: t.expose('fee', {
      type: PreviewFeeRef,
      nullable: true,
      description: 'The fee, which is 0 without one. Null while the fee module refuses to name it.',
    }),
    exchangeRateToBase: t.exposeString('exchangeRateToBase', {
      nullable: true,
      description:
        'The value of one whole share in the base token, in whole units. Null where the accountant has none.',
    }),
    validUntil: t.expose('validUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time from which the chain refuses a part of the transaction: the earlier of the deadline of the permit and the expiration of the attestation. Null if nothing in it expires.',
    }),
    gasLimit: t.expose('gasLimit', {
      type: 'Amount',
      nullable: true,
      description:
        "A gas limit to send with: the node's estimate and 20 %. It assumes the balance and the allowance, so it is there before the approval too. Null where it cannot be estimated: the node cannot estimate with these assumptions, takes too long for it, or the call would fail now.",
    }),
  }),
})

const ShareRemainderRef = builder.objectRef<ShareRemainder>('ShareRemainder').implement({
  description: 'The shares that an account keeps after a withdrawal.',
  fields: (t) => ({
    shares: t.expose('shares', {
      type: 'Amount',
      description: 'The shares, in base units, by the balance at the block that was read.',
    }),
    isWithdrawable: t.exposeBoolean('isWithdrawable', {
      description:
        'Whether they are enough for a withdrawal of the same asset alone: not below the minimum of the queue, and worth more than its fee. False for 0 shares.',
    }),
  }),
})

const JourneyFeesRef = builder.objectRef<PreparedJourney['fees']>('JourneyFees').implement({
  description: 'The fees of a journey.',
  fields: (t) => ({
    transit: t.expose('transit', {
      type: PreviewFeeRef,
      description: 'The fees of the order, in `sourceAsset`. They are signed.',
    }),
    vault: t.expose('vault', {
      type: PreviewFeeRef,
      description: 'The fee of the vault for what arrives, as it is now.',
    }),
  }),
})

const PreparedJourneyRef = builder.objectRef<PreparedJourney>('PreparedJourney').implement({
  description:
    'The way of a deposit from another chain or token. `amountOut` is signed. The shares are not: the vault decides by its rate, fee and cap when the money arrives, and a deposit that it refuses then is refunded to the user.',
  fields: (t) => ({
    id: t.expose('id', {
      type: 'Hash',
      description:
        'The id of the order, and of the journey. It can be requested before it is sent.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'The signed deadline. From then on the station refuses the order.',
    }),
    smartDepositAddress: t.expose('smartDepositAddress', {
      type: 'Address',
      description: "The receiver of the order: the user's smart deposit address.",
    }),
    offerAmount: t.expose('offerAmount', {
      type: 'Amount',
      description:
        'The amount that the user pays, with the fees of the order in it, in base units of `sourceAsset`.',
    }),
    amountOut: t.expose('amountOut', {
      type: 'Amount',
      description: 'The amount that arrives there, in base units of `depositAsset`.',
    }),
    fees: t.expose('fees', { type: JourneyFeesRef, description: 'The fees of both legs.' }),
    expectedBy: t.expose('expectedBy', {
      type: 'DateTime',
      nullable: true,
      description:
        'The time up to which nine of ten journeys like this one, sent now, are in the vault. Null while the route or the keeper has no history.',
    }),
  }),
})

/** The fields of the transaction are here too, because clients already read them here. */
export const PreviewedTransactionRef = builder
  .objectRef<PreviewedCall & { journey?: PreparedJourney }>('PreviewedTransaction')
  .implement({
    description: 'A transaction for the user to sign and send, and what is known of its outcome.',
    fields: (t) => ({
      transaction: t.field({
        type: PreparedTransactionRef,
        description: 'The transaction.',
        resolve: ({ transaction }) => transaction,
      }),
      preview: t.expose('preview', { type: PreviewRef, description: 'Its outcome.' }),
      remainder: t.field({
        type: ShareRemainderRef,
        nullable: true,
        description: 'What a withdrawal leaves to `userAddress`. Null for a deposit.',
        resolve: ({ remainder }) => remainder ?? null,
      }),
      journey: t.field({
        type: PreparedJourneyRef,
        nullable: true,
        description: 'The way of a deposit from another chain or token. Null for all else.',
        resolve: ({ journey }) => journey ?? null,
      }),
      warnings: t.field(warningsField),
      to: t.field({
        ...deprecated('PreviewedTransaction.to'),
        type: 'Address',
        description: 'The contract to call.',
        resolve: ({ transaction }) => transaction.to,
      }),
      value: t.field({
        ...deprecated('PreviewedTransaction.value'),
        type: 'Amount',
        description: 'Native currency to send with the call, in wei.',
        resolve: ({ transaction }) => transaction.value,
      }),
      data: t.string({
        ...deprecated('PreviewedTransaction.data'),
        description: 'The calldata.',
        resolve: ({ transaction }) => transaction.data,
      }),
      abi: t.stringList({
        ...deprecated('PreviewedTransaction.abi'),
        description: 'ABI fragments of the call.',
        resolve: ({ transaction }) => [...transaction.abi],
      }),
      functionName: t.string({
        ...deprecated('PreviewedTransaction.functionName'),
        description: 'The name of the function to call.',
        resolve: ({ transaction }) => transaction.functionName,
      }),
      args: t.field({
        ...deprecated('PreviewedTransaction.args'),
        type: 'CallArguments',
        description: 'The arguments of the call.',
        resolve: ({ transaction }) => transaction.args,
      }),
    }),
  })
