import { OLDEST_READ_SECONDS } from '../../../domain/earn/vaults/deploymentCache.ts'
import { expectedAssets } from '../../../domain/earn/withdrawals/expectedAssets.ts'
import { getWithdrawalRequest } from '../../../domain/earn/withdrawals/getWithdrawalRequest.ts'
import type { QueueBlock } from '../../../domain/earn/withdrawals/queueBlocks.ts'
import { blockedBy, type RequestBlock } from '../../../domain/earn/withdrawals/requestBlock.ts'
import {
  type WithdrawalRequest,
  withdrawalIdOf,
} from '../../../domain/earn/withdrawals/withdrawalRequest.ts'
import type { WithdrawalStatus } from '../../../domain/earn/withdrawals/withdrawalStatus.ts'
import { amountOf } from '../../amountOf.ts'
import { required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { enumType } from '../../enumType.ts'
import { readCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { resourceOf, resourceStates } from '../../resourceStates.ts'

const WithdrawalRequestStatusRef = enumType<WithdrawalStatus>('WithdrawalRequestStatus', {
  description: 'The state of a withdrawal request.',
  values: {
    PENDING: 'The request waits in its queue.',
    COMPLETE: 'The request was paid.',
    PENDING_REFUND: 'The request was cancelled. Its shares are refunded when the queue reaches it.',
    REFUNDED:
      "The request was not paid. Its shares were refunded, or went to the queue's recovery address where the refund failed.",
  },
})

const QueueBlockReasonRef = enumType<RequestBlock['reason']>('QueueBlockReason', {
  description: 'Why a queue cannot pay a request now.',
  values: {
    PAYS_NOTHING:
      "After the queue's fee the request is worth less than one base unit of its asset, and the queue reverts.",
    NO_RATE:
      'The accountant of the vault has no source of the rate of the asset, and the queue reverts.',
    VAULT_LACKS_ASSETS:
      'The vault has less of the asset than the request is worth, and the queue reverts. It ends when the vault gets more.',
    VAULT_PAUSED: 'The teller or the accountant of the vault is paused.',
    ACCOUNT_FROZEN:
      'The issuer of the asset blocks the receiver. The queue returns the shares instead.',
  },
})

export const QueueBlockRef = builder.objectRef<QueueBlock>('QueueBlock').implement({
  description: 'A request that holds up its queue.',
  fields: fieldsOf(() => ({
    reason: nonNull.of(QueueBlockReasonRef, 'The reason.'),
    requestId: nonNull.of('WithdrawalRequestId', 'The id of the request.').by(withdrawalIdOf),
  })),
})

const RequestBlockRef = builder.objectRef<RequestBlock>('WithdrawalRequestBlock').implement({
  description: 'What keeps a withdrawal request from being paid now.',
  fields: fieldsOf(() => ({
    reason: nonNull.of(QueueBlockReasonRef, 'The reason.'),
    requestId: nullable
      .of(
        'WithdrawalRequestId',
        'The request that holds up the queue: this one, or one before it. Null where none does.',
      )
      .by(({ request }) => request && withdrawalIdOf(request)),
    account: nullable.address('The account that is blocked, if the reason is one.'),
  })),
})

export const WithdrawalRequestRef = builder
  .objectRef<WithdrawalRequest>('WithdrawalRequest')
  .implement({
    description:
      'A withdrawal request: shares offered to the withdraw queue of a vault, whose contract calls it an order. Shares have the decimals of the vault.',
    fields: fieldsOf(() => ({
      id: nonNull
        .of('WithdrawalRequestId', 'The id: `<chainId>:<queue>:<orderIndex>`.')
        .by(withdrawalIdOf),
      orderIndex: nonNull.amount("The request's number in its queue."),
      status: nonNull.of(WithdrawalRequestStatusRef, 'The state of the request.'),
      chainId: nonNull.int('The chain id.'),
      vaultAddress: nonNull.address('The address of the vault.').from('vault'),
      userAddress: nonNull.address('The account that paid the shares.'),
      receiverAddress: nonNull
        .address(
          "The holder of the request's receipt (an NFT of the queue), or its last holder. The holder is paid and may cancel.",
        )
        .from('receiver'),
      refundReceiverAddress: nonNull
        .address('The account that receives refunded shares.')
        .from('refundReceiver'),
      wantAsset: nonNull.address('The address of the token to pay out.'),
      wantAssetAddress: nonNull.address('The same as `wantAsset`.').from('wantAsset'),
      offerAmount: nonNull.amount('The offered shares, in base units.', {
        extensions: amountOf('vaultAddress'),
      }),
      orderAmount: nonNull
        .amount('The same as `offerAmount`.', { extensions: amountOf('vaultAddress') })
        .from('offerAmount'),
      feeAmount: nullable.amount('The fee that the queue took, in shares. Null unless COMPLETE.', {
        extensions: amountOf('vaultAddress'),
      }),
      assetsOut: nullable.amount(
        'The paid amount, in base units of `wantAsset`. Null unless COMPLETE.',
        { extensions: amountOf('wantAsset') },
      ),
      expectedAssets: nullable
        .amount(
          `The amount that the queue would pay now, in base units of \`wantAsset\`: at the chain's rate and after the queue's fee, read at most ${OLDEST_READ_SECONDS} s before the answer. The rate of the payment decides. Null unless PENDING, and where the chain does not answer or has no rate.`,
          { extensions: amountOf('wantAsset') },
        )
        .by((request, context) => expectedAssets(context, request)),
      expectedBy: nullable.dateTime(
        'The time by which the queue will probably have reached the request: `createdAt` and the wait that nine of ten of the last 50 requests paid in turn by the vault did not exceed. A time in the past shows a request that is late. Null unless the request waits, and below five such requests.',
      ),
      blockedBy: nullable
        .of(
          RequestBlockRef,
          'Why the request cannot be paid now, as far as the chain shows it. With `PAYS_NOTHING` and `NO_RATE`, nothing is paid or refunded from `requestId` on until the administrators of the vault mark it for a refund, or the asset gets a rate. `ACCOUNT_FROZEN` is looked for while `expectedBy` has passed or is unknown. Null unless the request waits in the queue in use, and where the chain does not answer.',
        )
        .by((request, context) => blockedBy(context, request)),
      createdAt: nonNull.dateTime("The block time of the request's submission."),
      fulfilledAt: nullable.dateTime('The block time of the payment. Null unless COMPLETE.'),
      updatedAt: nonNull.dateTime("The block time of the request's newest event."),
      txHash: nonNull
        .hash('The hash of the transaction that submitted the request.')
        .from('transactionHash'),
      settlementTxHash: nullable
        .hash(
          'The hash of the transaction that paid the request, or refunded its shares. Null while the request waits.',
        )
        .from('settlementTransactionHash'),
      isSubmittedViaSignature: nonNull.boolean(
        'Whether another account sent the transaction, with a signature of `userAddress`.',
      ),
      isForceProcessed: nonNull.boolean('Whether the request was paid before its turn.'),
      isMarkedForRefund: nonNull.boolean(
        'Whether the request was cancelled, by its holder or by the operator.',
      ),
      isMarkedForRefundByUser: nonNull.boolean('Whether the request was cancelled by its holder.'),
      didOrderFailTransfer: nonNull
        .boolean('Whether a payment of the request failed.')
        .from('didFailTransfer'),
      didOrderFailRefund: nonNull
        .boolean(
          'Whether the refund failed, so that the shares went to the recovery address of the queue.',
        )
        .from('didFailRefund'),
      queuePosition: nullable.int(
        'The place in the queue: 1 is next. Null unless the request waits.',
      ),
      sharesAhead: nullable.amount(
        'The shares of all requests before it, in base units. Null unless the request waits.',
        { extensions: amountOf('vaultAddress') },
      ),
    })),
  })

const args = {
  id: required.of('WithdrawalRequestId', 'The id of the withdrawal request.'),
}

queryField('withdrawalRequest', {
  type: WithdrawalRequestRef,
  complexity: readCost('chains'),
  description: 'One withdrawal request by its id. Errors: `WITHDRAWAL_REQUEST_NOT_FOUND`.',
  args,
  resolve: (_, { id }, context) => getWithdrawalRequest(context, id),
})

builder.subscriptionField('withdrawalRequest', (t) =>
  t.field({
    type: WithdrawalRequestRef,
    nullable: true,
    complexity: readCost('chains'),
    description:
      'One withdrawal request: first its present state, then each change of `status`, `receiverAddress`, `queuePosition` or `sharesAhead`. For an unknown id the stream waits until the request exists.',
    args,
    subscribe: (_, { id }, context) =>
      resourceStates({
        id,
        watch: context.withdrawalRequestWatch,
        read: () => getWithdrawalRequest(context, id),
        awaited: ['WITHDRAWAL_REQUEST_NOT_FOUND', 'INDEX_CATCHING_UP'],
      }),
    resolve: resourceOf,
  }),
)
