import { chainIdParam } from '../../../domain/chain/chainId.ts'
import {
  type WithdrawalFee,
  type WithdrawalFeeParams,
  withdrawalFee,
  withdrawalFeeViolations,
} from '../../../domain/earn/withdrawals/withdrawalFee.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'
import { FeeRateRef } from '../vaults/feeRate.ts'

const WithdrawalFeeRef = builder.objectRef<WithdrawalFee>('WithdrawalFee').implement({
  description: 'What the queue takes of an order. Amounts are in whole units.',
  fields: (t) => ({
    feeAmount: t.exposeString('feeAmount', { description: 'All that is charged, in shares.' }),
    offerFeePercentage: t.expose('bps', { type: FeeRateRef, description: 'The rate in it.' }),
    flatFee: t.exposeString('flatFee', {
      description: 'What every withdrawal costs, in the want asset; it is within `feeAmount`.',
    }),
  }),
})

builder.queryField('withdrawalFee', (t) =>
  t.field({
    type: WithdrawalFeeRef,
    nullable: true,
    complexity: readCost('calls'),
    description: 'What the queue would take of a withdrawal order now.',
    args: {
      offerAmount: t.arg({ type: 'Amount', required: true, description: 'Shares.' }),
      wantAsset: t.arg({
        type: 'Address',
        required: true,
        description: 'The token to receive.',
      }),
      vaultAddress: t.arg({ type: 'Address', required: true, description: 'The vault.' }),
      chainId: t.arg.int({
        required: true,
        description: 'The chain of the vault.',
        extensions: { value: chainIdParam },
      }),
    },
    extensions: checkedBy<WithdrawalFeeParams>(withdrawalFeeViolations),
    resolve: (_, params, context) => withdrawalFee(context, params),
  }),
)
