import { depositOfCaller, getSmartDeposit } from '../../domain/smartDeposit/getSmartDeposit.ts'
import { refundSmartDeposit } from '../../domain/smartDeposit/refundSmartDeposit.ts'
import type {
  SmartDeposit,
  SmartDepositEvent,
  SmartDepositStatus,
} from '../../domain/smartDeposit/smartDeposit.ts'
import { amountOf } from '../amountOf.ts'
import { required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { mutationField, queryField } from '../declareRootField.ts'
import { enumType } from '../enumType.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { resourceOf, resourceStates } from '../resourceStates.ts'

const SmartDepositStatusRef = enumType<SmartDepositStatus>('SmartDepositStatus', {
  description: 'The state of a smart deposit.',
  values: {
    PENDING: 'The payment arrived. It is not forwarded yet.',
    CONVERTING:
      'The keeper sent it on by a Transit order, which pays `inputToken` to the same address on the chain of the vault.',
    CONFIRMED: 'The payment is deposited in the vault and the user has the shares.',
    FINALIZED: "CONFIRMED, and deeper than the chain's finality depth.",
    FAILED: 'The payment was not deposited. `remediation` shows where it is.',
    REVERTED: 'A chain reorganisation removed the payment itself.',
  },
})

const SmartDepositEventRef = builder.objectRef<SmartDepositEvent>('SmartDepositEvent').implement({
  description: 'One event of a smart deposit.',
  fields: fieldsOf(() => ({
    id: nonNull.string('The id of the event, the same as in its webhook.'),
    type: nonNull.string('The type of the event, for example `smart_deposit.deposit.pending`.'),
    timestamp: nonNull.dateTime('The time at which the event was recorded.'),
    sequence: nonNull.int('The number of the event within the smart deposit, from 1.'),
    receiptTxHash: nonNull
      .hash('The hash of the transaction of the payment, as it was at the event.')
      .from('paymentTxHash'),
    convertTxHash: nullable.hash(
      'The hash of the transaction that submitted the Transit order. Null without one.',
    ),
    forwardTxHash: nullable.hash(
      'The hash of the transaction that deposited or refunded the payment. Null without one.',
    ),
    recoveryTxHash: nullable.hash(
      'The hash of the transaction that moved the payment to the recovery wallet. Null without one.',
    ),
  })),
})

export const SmartDepositRef = builder.objectRef<SmartDeposit>('SmartDeposit').implement({
  description:
    'A smart deposit: a payment that arrived at a smart deposit address, and its deposit into the vault.',
  fields: fieldsOf(() => ({
    depositId: nonNull.hash('The id of the smart deposit, the same as in its webhooks.'),
    retryOf: nullable.hash(
      '`depositId` of the retained smart deposit that this one tries again. Null for the first attempt.',
    ),
    status: nonNull.of(SmartDepositStatusRef, 'The state of the smart deposit.'),
    remediation: nullable.string('`refunded`, `recovered` or `retained`. Null unless FAILED.'),
    error: nullable.string(
      'The cause of the failure in words. The text may change. Null unless FAILED.',
    ),
    refundOrderedAt: nullable.dateTime(
      'The time at which the refund of its payment was ordered. Null if it was not.',
    ),
    reason: nullable.string(
      'Of `recovered`: why its payer was refused, in the words of the screening provider. Of `retained`: `TOKEN_NOT_ACCEPTED` if no open Transit route takes it to the vault, `ORDER_REMOVED` if its Transit order was removed: then the owner of the stations has it, and it is not tried again. Null otherwise.',
    ),
    chainId: nonNull.int('The chain of the vault.'),
    smartDepositAddress: nonNull.address('The address at which the payment arrived.'),
    userDestinationAddress: nonNull.address('The account that receives the shares.'),
    vaultAddress: nonNull.address('The address of the vault.'),
    inputToken: nonNull.address('The token that the vault takes.'),
    customerId: nullable.string('Your own id of the customer. Null without one.'),
    receivedAmount: nonNull.amount(
      'The amount that arrived, in base units of `inputToken`. Of a payment of `originAsset`: what the Transit order has paid so far.',
      { extensions: amountOf('inputToken') },
    ),
    originChainId: nullable
      .int(
        'The chain of the payment, if it was in another token or on another chain. Null otherwise.',
      )
      .by(({ origin }) => origin?.chainId ?? null),
    originAsset: nullable
      .address('The token of that payment. Null without `originChainId`.')
      .by(({ origin }) => origin?.asset ?? null),
    originAmount: nullable
      .amount(
        'The amount of that payment, in base units of `originAsset`. Null without `originChainId`.',
        { extensions: amountOf('originAsset', 'originChainId') },
      )
      .by(({ origin }) => origin?.amount ?? null),
    convertTxHash: nullable.hash(
      'The hash of the transaction, on the chain of the payment, that sent it on by a Transit order. Null without one.',
    ),
    mintedAmount: nullable.amount('The minted shares, in base units. Null until CONFIRMED.', {
      extensions: amountOf('vaultAddress'),
    }),
    receiptTxHash: nonNull
      .hash('The hash of the transaction of the payment, on `originChainId` if it is not null.')
      .from('paymentTxHash'),
    receiptTxBlockHash: nonNull
      .hash('The hash of the block of the payment.')
      .from('paymentTxBlockHash'),
    forwardTxHash: nullable.hash(
      'The hash of the transaction that deposited or refunded the payment. Null without one.',
    ),
    forwardTxBlockHash: nullable.hash(
      'The hash of the block of `forwardTxHash`. Null without one.',
    ),
    recoveryTxHash: nullable.hash(
      'The hash of the transaction that moved the payment to the recovery wallet. Null without one.',
    ),
    createdAt: nonNull.dateTime('The time at which the service first saw the payment.'),
    updatedAt: nonNull.dateTime('The time of the last change.'),
    timeline: nonNull.of(
      [SmartDepositEventRef],
      'The events of the smart deposit, the oldest first.',
      { complexity: listCost(4) },
    ),
  })),
})

const args = {
  depositId: required.hash('The id of the smart deposit, as in its webhooks.'),
}

queryField('smartDeposit', {
  type: SmartDepositRef,
  complexity: readCost('index'),
  description: 'One smart deposit by its id. Errors: `SMART_DEPOSIT_NOT_FOUND`.',
  args,
  resolve: (_, { depositId }, context) => getSmartDeposit(context, depositId),
})

mutationField('refundSmartDeposit', {
  type: SmartDepositRef,
  description:
    'Orders the refund of a retained payment to its user: the keeper sends it back with its next try, under a new `depositId` that names this one in `retryOf`. Errors: `SMART_DEPOSIT_NOT_FOUND`, `REFUND_NOT_POSSIBLE`.',
  args,
  resolve: (_, { depositId }, context) => refundSmartDeposit(context, depositId),
})

builder.subscriptionField('smartDeposit', (t) =>
  t.field({
    type: SmartDepositRef,
    nullable: true,
    complexity: readCost('index'),
    description:
      'One smart deposit: first its present state, then its state after each further event. For an unknown id the stream waits until the smart deposit exists.',
    args,
    subscribe: (_, { depositId }, context) =>
      resourceStates({
        id: depositOfCaller(context, depositId),
        watch: context.smartDepositWatch,
        read: () => getSmartDeposit(context, depositId),
        awaited: ['SMART_DEPOSIT_NOT_FOUND'],
      }),
    resolve: resourceOf,
  }),
)
