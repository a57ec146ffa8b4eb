import { getWithdrawalRequest } from '../../../domain/earn/withdrawals/getWithdrawalRequest.ts'
import {
  type WithdrawalRequest,
  withdrawalIdOf,
} from '../../../domain/earn/withdrawals/withdrawalRequest.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'
import { resourceOf, resourceStates } from '../../resourceStates.ts'
import { WithdrawalRequestStatusRef } from './withdrawalStatus.ts'

export const WithdrawalRequestRef = builder
  .objectRef<WithdrawalRequest>('WithdrawalRequest')
  .implement({
    description: 'One order of a withdraw queue. Shares have the decimals of their vault.',
    fields: (t) => ({
      id: t.field({
        type: 'WithdrawalRequestId',
        description: '`<chainId>:<queue>:<orderIndex>`.',
        resolve: withdrawalIdOf,
      }),
      orderIndex: t.expose('orderIndex', {
        type: 'Amount',
        description: 'Its number in the queue, as a cancellation names it.',
      }),
      status: t.expose('status', {
        type: WithdrawalRequestStatusRef,
        description: 'How far it is.',
      }),
      chainId: t.exposeInt('chainId', { description: 'The chain.' }),
      vaultAddress: t.expose('vault', { type: 'Address', description: 'The vault.' }),
      userAddress: t.expose('userAddress', {
        type: 'Address',
        description: 'Who paid the shares.',
      }),
      receiverAddress: t.expose('receiver', {
        type: 'Address',
        description: 'Who has the receipt, or had it last: is paid, and may cancel.',
      }),
      refundReceiverAddress: t.expose('refundReceiver', {
        type: 'Address',
        description: 'Who gets the shares of a refund.',
      }),
      wantAsset: t.expose('wantAsset', { type: 'Address', description: 'What is paid out.' }),
      wantAssetAddress: t.expose('wantAsset', {
        type: 'Address',
        description: 'The same as `wantAsset`.',
      }),
      offerAmount: t.expose('offerAmount', {
        type: 'Amount',
        description: 'The shares, in base units.',
      }),
      orderAmount: t.expose('offerAmount', {
        type: 'Amount',
        description: 'The same as `offerAmount`.',
      }),
      feeAmount: t.expose('feeAmount', {
        type: 'Amount',
        nullable: true,
        description: 'What the queue took of the shares; null unless COMPLETE.',
      }),
      assetsOut: t.expose('assetsOut', {
        type: 'Amount',
        nullable: true,
        description: 'What was paid, in base units of `wantAsset`; null unless COMPLETE.',
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: "The submission's block time.",
      }),
      fulfilledAt: t.expose('fulfilledAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When it was paid; null unless COMPLETE.',
      }),
      updatedAt: t.expose('updatedAt', {
        type: 'DateTime',
        description: "The newest event's block time.",
      }),
      txHash: t.expose('transactionHash', { type: 'Hash', description: 'The submission.' }),
      isSubmittedViaSignature: t.exposeBoolean('isSubmittedViaSignature', {
        description: 'Somebody else sent it, with a signature of `userAddress`.',
      }),
      isForceProcessed: t.exposeBoolean('isForceProcessed', {
        description: 'It was paid out of its turn.',
      }),
      isMarkedForRefund: t.exposeBoolean('isMarkedForRefund', {
        description: 'It was cancelled, by its holder or by the operator.',
      }),
      isMarkedForRefundByUser: t.exposeBoolean('isMarkedForRefundByUser', {
        description: 'It was cancelled by its holder.',
      }),
      didOrderFailTransfer: t.exposeBoolean('didFailTransfer', {
        description: 'It was to be paid, and the vault could not.',
      }),
      didOrderFailRefund: t.exposeBoolean('didFailRefund', {
        description:
          'Its shares went to the recovery address of the queue, not to who was to get them.',
      }),
      queuePosition: t.exposeInt('queuePosition', {
        nullable: true,
        description: '1 for the next that the queue comes to; null unless it waits.',
      }),
      sharesAhead: t.expose('sharesAhead', {
        type: 'Amount',
        nullable: true,
        description: 'What is to be paid before it, in shares; null unless it waits.',
      }),
    }),
  })

const args = builder.args((t) => ({
  id: t.field({
    type: 'WithdrawalRequestId',
    required: true,
    description: 'The id of the request.',
  }),
}))

builder.queryField('withdrawalRequest', (t) =>
  t.field({
    type: WithdrawalRequestRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'One request by its id. Errors: `WITHDRAWAL_REQUEST_NOT_FOUND`.',
    args,
    resolve: (_, { id }, context) => getWithdrawalRequest(context, id),
  }),
)

builder.subscriptionField('withdrawalRequest', (t) =>
  t.field({
    type: WithdrawalRequestRef,
    nullable: true,
    complexity: readCost('index'),
    description:
      'One request: its present state first, then each change of `status`, `receiverAddress`, `queuePosition` or `sharesAhead`. An unknown request is awaited.',
    args,
    subscribe: (_, { id }, context) =>
      resourceStates({
        id,
        watch: context.withdrawalWatch,
        read: () => getWithdrawalRequest(context, id),
        awaited: ['WITHDRAWAL_REQUEST_NOT_FOUND', 'INDEX_CATCHING_UP'],
      }),
    resolve: resourceOf,
  }),
)
