import { cancelWithdrawal } from '../../../domain/earn/withdrawals/cancelWithdrawal.ts'
import { withdraw } from '../../../domain/earn/withdrawals/withdraw.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'
import { PreparedTransactionRef } from '../../preparedTransaction.ts'

builder.queryField('withdraw', (t) =>
  t.field({
    type: PreparedTransactionRef,
    nullable: true,
    complexity: readCost('calls'),
    description:
      'Prepares a withdrawal: `bulkWithdraw` settles at once, `submitOrderAndProcessAll` with its order, `submitOrder` waits in the queue. Errors: `VAULT_NOT_FOUND` and others.',
    args: {
      vaultAddress: t.arg({ type: 'PayableAddress', required: true, description: 'The vault.' }),
      wantAsset: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'The token to receive.',
      }),
      shareAmount: t.arg({
        type: 'Amount',
        required: true,
        description: "Shares, with the vault's decimals.",
      }),
      userAddress: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'Who signs and sends it.',
      }),
      chainId: t.arg.int({ required: true, description: 'Where the vault is.' }),
      intendedDepositor: t.arg({ type: 'PayableAddress', description: 'Must be the user.' }),
      receiver: t.arg({
        type: 'PayableAddress',
        description: 'Who is paid, and may cancel; else the user.',
      }),
      refundReceiver: t.arg({
        type: 'PayableAddress',
        description: 'Who gets shares that are refunded; else the user.',
      }),
      simulate: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          'Whether to run it against the chain first, as if balance and approval were there.',
      }),
    },
    resolve: (_, { intendedDepositor, receiver, refundReceiver, ...params }, context) =>
      withdraw(context, {
        ...params,
        intendedDepositor: intendedDepositor ?? undefined,
        receiver: receiver ?? undefined,
        refundReceiver: refundReceiver ?? undefined,
      }),
  }),
)

builder.queryField('cancelWithdrawal', (t) =>
  t.field({
    type: PreparedTransactionRef,
    nullable: true,
    complexity: readCost('calls'),
    description:
      "Prepares the call by which the receipt's holder has a pending order refunded; the shares come back when the queue reaches it. Errors: `WITHDRAWAL_REQUEST_NOT_FOUND` and others.",
    args: {
      vaultAddress: t.arg({ type: 'PayableAddress', required: true, description: 'The vault.' }),
      orderIndex: t.arg({
        type: 'Amount',
        required: true,
        description: 'Exactly as a withdrawal request has it.',
      }),
      chainId: t.arg.int({ required: true, description: 'Where the vault is.' }),
      simulate: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: "Whether to run it against the chain first, as the receipt's holder.",
      }),
    },
    resolve: (_, params, context) => cancelWithdrawal(context, params),
  }),
)
