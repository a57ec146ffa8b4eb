import { z } from 'zod'
import {
  type CancelParams,
  cancelViolations,
} from '../../../domain/earn/withdrawals/cancelParams.ts'
import { cancelWithdrawal } from '../../../domain/earn/withdrawals/cancelWithdrawal.ts'
import { withdraw } from '../../../domain/earn/withdrawals/withdraw.ts'
import {
  otherDepositor,
  type WithdrawParams,
  withdrawReceivers,
  withdrawViolations,
} from '../../../domain/earn/withdrawals/withdrawParams.ts'
import { receiverViolations } from '../../../domain/receiver/refuseReceivers.ts'
import { isAmount } from '../../../domain/token/amount.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { optional, required, SIGNATURE_ARGUMENT } from '../../arguments.ts'
import { queryField } from '../../declareRootField.ts'
import { readCost } from '../../fieldCost.ts'
import { PreparedTransactionRef } from '../../preparedTransaction.ts'
import { PreviewedTransactionRef } from '../../previewedTransaction.ts'
import { withoutNulls } from '../../withoutNulls.ts'

queryField('withdraw', {
  type: PreviewedTransactionRef,
  complexity: readCost('preparation'),
  description:
    'Prepares the transaction that withdraws from a vault, in the fastest mode that is open to the account. `bulkWithdraw` pays at once, `submitOrderAndProcessAll` submits a withdrawal request and pays it in the same transaction, `submitOrder` submits a request that waits in the queue. Errors: `CHAIN_NOT_FOUND`, `VAULT_NOT_FOUND` and others (docs/errors.md).',
  args: {
    vaultAddress: required.payableAddress('The address of the vault.'),
    wantAsset: required.payableAddress('The address of the token to receive.'),
    shareAmount: required.amount('The number of shares to withdraw, in base units.'),
    userAddress: required.payableAddress('The account that signs and sends the transaction.'),
    chainId: required.chainId('The chain of the vault.'),
    intendedDepositor: optional.payableAddress(
      'Must be `userAddress`: the queue takes a request only from its sender.',
    ),
    receiver: optional.payableAddress(
      'The account that is paid and that may cancel. By default `userAddress`.',
    ),
    refundReceiver: optional.payableAddress(
      'The account that receives refunded shares. By default `userAddress`.',
    ),
    permitSignature: optional.string(
      'The signature of an EIP-2612 permit of the shares to the queue: 65 bytes in hex. Required with `permitDeadline`. A withdrawal at once does not need it.',
      SIGNATURE_ARGUMENT,
    ),
    permitDeadline: optional.unixTime(
      'The deadline of the signed permit, in Unix seconds. Required with `permitSignature`.',
    ),
    refuseSmallRemainder: required.boolean(
      'Whether to refuse a withdrawal that leaves shares which cannot be withdrawn alone (`remainder`), with `REMAINDER_TOO_SMALL`.',
      { defaultValue: false },
    ),
    simulate: required.boolean(
      'Whether to simulate the transaction first. The simulation assumes the balance and the allowance.',
      { defaultValue: false },
    ),
  },
  extensions: checkedBy<WithdrawParams>((args, { named, context }) => [
    ...withdrawViolations(args, named),
    ...(otherDepositor(args)?.fieldViolations ?? []),
    ...receiverViolations(context.addressBook, withdrawReceivers(args)),
  ]),
  resolve: (_, args, context) => withdraw(context, withoutNulls(args)),
})

queryField('cancelWithdrawal', {
  type: PreparedTransactionRef,
  complexity: readCost('calls'),
  description:
    "Prepares the transaction that cancels a pending withdrawal request. The holder of the request's receipt must send it. The shares are refunded when the queue reaches the request. Errors: `WITHDRAWAL_REQUEST_NOT_FOUND` and others (docs/errors.md).",
  args: {
    vaultAddress: required.payableAddress('The address of the vault.'),
    orderIndex: optional.amount(
      '`orderIndex` of the withdrawal request. Give this or `requestId`. Refused if requests in several queues of the vault wait under it.',
      {
        extensions: {
          value: z
            .string()
            .refine(isAmount, 'expected a decimal string')
            .meta({ pattern: '^[0-9]+$' }),
        },
      },
    ),
    requestId: optional.of(
      'WithdrawalRequestId',
      '`id` of the withdrawal request. It can be in any queue that the vault has had.',
    ),
    chainId: required.chainId('The chain of the vault.'),
    simulate: required.boolean(
      "Whether to simulate the transaction first, sent by the holder of the request's receipt.",
      { defaultValue: false },
    ),
  },
  extensions: checkedBy<CancelParams>((args, { named }) => cancelViolations(args, named)),
  resolve: (_, args, context) => cancelWithdrawal(context, withoutNulls(args)),
})
