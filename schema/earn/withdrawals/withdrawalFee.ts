import {
  type WithdrawalFee,
  type WithdrawalFeeParams,
  withdrawalFee,
  withdrawalFeeViolations,
} from '../../../domain/earn/withdrawals/withdrawalFee.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { readCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull } from '../../fieldsOf.ts'
import { FeeRateRef } from '../vaults/feeRate.ts'

const WithdrawalFeeRef = builder.objectRef<WithdrawalFee>('WithdrawalFee').implement({
  description: 'The fee of a withdrawal request. Amounts are in whole units.',
  fields: fieldsOf(() => ({
    feeAmount: nonNull.string('The whole fee, in shares.'),
    offerFeePercentage: nonNull.of(FeeRateRef, 'The rate within the fee.').from('bps'),
    flatFee: nonNull.string(
      'The flat fee of each request, in the want asset. `feeAmount` includes it.',
    ),
  })),
})

queryField('withdrawalFee', {
  type: WithdrawalFeeRef,
  complexity: readCost('calls'),
  description: 'The fee that the queue takes from a withdrawal request now.',
  args: {
    offerAmount: required.amount('The number of shares, in base units.'),
    wantAsset: required.address('The address of the token to receive.'),
    vaultAddress: required.address('The address of the vault.'),
    chainId: required.chainId('The chain of the vault.'),
  },
  extensions: checkedBy<WithdrawalFeeParams>(withdrawalFeeViolations),
  resolve: (_, params, context) => withdrawalFee(context, params),
})
