import { z } from 'zod'
import { chainIdParam } from '../../../domain/chain/chainId.ts'
import { cancelWithdrawal } from '../../../domain/earn/withdrawals/cancelWithdrawal.ts'
import { withdraw } from '../../../domain/earn/withdrawals/withdraw.ts'
import {
  otherDepositor,
  type WithdrawParams,
  withdrawViolations,
} from '../../../domain/earn/withdrawals/withdrawParams.ts'
import { isAmount } from '../../../domain/token/amount.ts'
import { checkedBy } from '../../argumentChecks.ts'
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
      chainId: t.arg.int({
        required: true,
        description: 'The chain of the vault.',
        extensions: { value: chainIdParam },
      }),
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
    extensions: checkedBy<WithdrawParams>((args) => [
      ...withdrawViolations(args),
      ...(otherDepositor(args)?.fieldViolations ?? []),
    ]),
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
        description: '`orderIndex` of the withdrawal request.',
        extensions: { value: z.string().refine(isAmount, 'expected a decimal string') },
      }),
      chainId: t.arg.int({
        required: true,
        description: 'The chain of the vault.',
        extensions: { value: chainIdParam },
      }),
      simulate: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: "Whether to run it against the chain first, as the receipt's holder.",
      }),
    },
    resolve: (_, params, context) => cancelWithdrawal(context, params),
  }),
)
