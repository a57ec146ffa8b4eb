import { chainIdParam } from '../../../domain/chain/chainId.ts'
import { deposit } from '../../../domain/earn/deposits/deposit.ts'
import {
  type DepositParams,
  depositViolations,
} from '../../../domain/earn/deposits/depositParams.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'
import { PreparedTransactionRef } from '../../preparedTransaction.ts'

builder.queryField('deposit', (t) =>
  t.field({
    type: PreparedTransactionRef,
    nullable: true,
    complexity: readCost('calls'),
    description: 'Prepares a deposit. Errors: `VAULT_NOT_FOUND` and others.',
    args: {
      vaultAddress: t.arg({ type: 'PayableAddress', required: true, description: 'The vault.' }),
      depositAsset: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'The token to deposit.',
      }),
      depositAmount: t.arg({ type: 'Amount', required: true, description: 'Of that token.' }),
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
      to: t.arg({ type: 'PayableAddress', description: 'Who gets the shares; else the user.' }),
      permitSignature: t.arg.string({ description: '65 bytes, with `permitDeadline`.' }),
      permitDeadline: t.arg({ type: 'UnixTime', description: 'That of the signed permit.' }),
      simulate: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          'Whether to run it against the chain first, as if balance and approval were there.',
      }),
    },
    extensions: checkedBy<DepositParams>((args, { named }) => depositViolations(args, named)),
    resolve: (_, { to, permitSignature, permitDeadline, ...params }, context) =>
      deposit(context, {
        ...params,
        to: to ?? undefined,
        permitSignature: permitSignature ?? undefined,
        permitDeadline: permitDeadline ?? undefined,
      }),
  }),
)
