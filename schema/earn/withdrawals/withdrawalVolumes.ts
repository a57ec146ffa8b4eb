import { intervalParam } from '../../../domain/earn/series/seriesParameters.ts'
import {
  listWithdrawalVolumes,
  type WithdrawalVolume,
  type WithdrawalVolumePage,
  type WithdrawalVolumeParams,
  withdrawalVolumeQuery,
  withdrawalVolumeViolations,
} from '../../../domain/earn/withdrawals/listWithdrawalVolumes.ts'
import { attempt } from '../../../domain/error/refuseTogether.ts'
import { DEFAULT_PAGE_SIZE } from '../../../domain/page/pageParameters.ts'
import { amountOf } from '../../amountOf.ts'
import { type CheckContext, checkedBy } from '../../argumentChecks.ts'
import { optional, required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { pageCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull } from '../../fieldsOf.ts'
import { pageArguments } from '../../listArguments.ts'
import { pageRef } from '../../page.ts'
import { withoutNulls } from '../../withoutNulls.ts'
import { assetsAndShares } from './assetsAndShares.ts'

const WithdrawalVolumeRef = builder.objectRef<WithdrawalVolume>('WithdrawalVolume').implement({
  description:
    'The withdrawals from a vault on one chain in one asset that were paid after `startTime` and up to `endTime`.',
  fields: fieldsOf(() => ({
    vaultAddress: nonNull.address('The address of the vault.'),
    chainId: nonNull.int('The chain id.'),
    assetAddress: nonNull.address('The address of the paid token.'),
    startTime: nonNull.unixTime('The start of the time. Payments in this second are not counted.'),
    endTime: nonNull.unixTime('The end of the time. Payments in this second are counted.'),
    orderCount: nonNull.int(
      'The number of withdrawals: paid requests and withdrawals that were paid at once.',
    ),
    shareAmount: nonNull.amount("The withdrawn shares in base units, the queue's fee included.", {
      extensions: amountOf('vaultAddress'),
    }),
    assetAmount: nonNull.amount('The paid amount, in base units.', {
      extensions: amountOf('assetAddress'),
    }),
  })),
})

const WithdrawalVolumePageRef = pageRef<WithdrawalVolumePage>('WithdrawalVolumePage', {
  description: 'A page of volumes, sorted by time, chain and asset.',
  fields: {
    withdrawalVolumes: nonNull.of(
      [WithdrawalVolumeRef],
      'The volumes. A time without withdrawals has no row.',
    ),
  },
  tokens: {
    description: 'The tokens of this page, and the shares.',
    of: ({ withdrawalVolumes }) => assetsAndShares(withdrawalVolumes),
  },
})

queryField('withdrawalVolumes', {
  type: WithdrawalVolumePageRef,
  complexity: pageCost('history'),
  description:
    'Sums of the withdrawals from a vault by time, chain and asset. Paid withdrawal requests and withdrawals that were paid at once both count. Errors: `CHAIN_NOT_FOUND`, `VAULT_NOT_FOUND`.',
  args: {
    vaultAddress: required.address('The address of the vault.'),
    startTime: required.unixTime(
      'The start of the time, in Unix seconds. Payments in this second are not counted.',
    ),
    endTime: required.unixTime(
      'The end of the time, in Unix seconds. Payments in this second are counted.',
    ),
    chainId: optional.chainId('Only withdrawals on this chain.'),
    interval: optional.int(
      'Seconds, in full hours: one row for each multiple, cut at `startTime` and `endTime`. Without it there is one row for the whole time.',
      { extensions: { value: intervalParam } },
    ),
    ...pageArguments(),
  },
  extensions: checkedBy(volumeViolations),
  resolve: (_, args, context) => listWithdrawalVolumes(context, withoutNulls(args)),
})

/** A page token can only be checked with all the parameters that it belongs to. */
function volumeViolations(args: Partial<WithdrawalVolumeParams>, { context }: CheckContext) {
  const { vaultAddress, startTime, endTime, ...others } = args
  if (vaultAddress === undefined || startTime === undefined || endTime === undefined)
    return withdrawalVolumeViolations(args)
  const params = { vaultAddress, startTime, endTime, pageSize: DEFAULT_PAGE_SIZE, ...others }
  return attempt(() => withdrawalVolumeQuery(context, params)).refusal?.fieldViolations ?? []
}
