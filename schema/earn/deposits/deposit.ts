import { chainIdParam } from '../../../domain/chain/chainId.ts'
import { deposit } from '../../../domain/earn/deposits/deposit.ts'
import {
  type DepositParams,
  depositReceivers,
  depositViolations,
} from '../../../domain/earn/deposits/depositParams.ts'
import { receiverViolations } from '../../../domain/receiver/refuseReceivers.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'
import { PreviewedTransactionRef } from '../../previewedTransaction.ts'
import { withoutNulls } from '../../withoutNulls.ts'

builder.queryField('deposit', (t) =>
  t.field({
    type: PreviewedTransactionRef,
    nullable: true,
    complexity: readCost('preparation'),
    description:
      'Prepares the transaction that deposits into a vault. Errors: `CHAIN_NOT_FOUND`, `VAULT_NOT_FOUND` and others (docs/errors.md).',
    args: {
      vaultAddress: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'The address of the vault.',
      }),
      depositAsset: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'The address of the token to deposit.',
      }),
      depositAmount: t.arg({
        type: 'Amount',
        required: true,
        description: 'The amount to deposit, in base units of the token.',
      }),
      userAddress: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'The account that signs and sends the transaction.',
      }),
      chainId: t.arg.int({
        required: true,
        description: 'The chain of the vault.',
        extensions: { value: chainIdParam },
      }),
      to: t.arg({
        type: 'PayableAddress',
        description: 'The account that receives the shares. By default `userAddress`.',
      }),
      permitSignature: t.arg.string({
        description:
          'The signature of an EIP-2612 permit: 65 bytes in hex. Required with `permitDeadline`.',
      }),
      permitDeadline: t.arg({
        type: 'UnixTime',
        description:
          'The deadline of the signed permit, in Unix seconds. Required with `permitSignature`.',
      }),
      simulate: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          'Whether to simulate the transaction first. The simulation assumes the balance and the allowance.',
      }),
    },
    extensions: checkedBy<DepositParams>((args, { named, context }) => [
      ...depositViolations(args, named),
      ...receiverViolations(context.addressBook, depositReceivers(args)),
    ]),
    resolve: (_, args, context) => deposit(context, withoutNulls(args)),
  }),
)
