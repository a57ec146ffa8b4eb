import { chainIdParam } from '../../../domain/chain/chainId.ts'
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
import { type CheckContext, checkedBy } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { pageArguments } from '../../listArguments.ts'

const WithdrawalVolumeRef = builder.objectRef<WithdrawalVolume>('WithdrawalVolume').implement({
  description:
    'What was withdrawn from a vault on one chain, in one asset, in (startTime, endTime].',
  fields: (t) => ({
    vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    assetAddress: t.expose('assetAddress', { type: 'Address', description: 'What was paid.' }),
    startTime: t.expose('startTime', {
      type: 'UnixTime',
      description: 'What was paid at this very second is not counted.',
    }),
    endTime: t.expose('endTime', {
      type: 'UnixTime',
      description: 'What was paid at this very second is.',
    }),
    orderCount: t.exposeInt('orderCount', {
      description: 'How many withdrawals: orders that were paid, and those at once.',
    }),
    shareAmount: t.expose('shareAmount', {
      type: 'Amount',
      description: "The shares that were given up, the queue's fee included, in base units.",
    }),
    assetAmount: t.expose('assetAmount', {
      type: 'Amount',
      description: 'What was paid for them, in base units.',
    }),
  }),
})

const WithdrawalVolumePageRef = builder
  .objectRef<WithdrawalVolumePage>('WithdrawalVolumePage')
  .implement({
    description: 'A page of volumes, by time, chain and asset.',
    fields: (t) => ({
      withdrawalVolumes: t.expose('withdrawalVolumes', {
        type: [WithdrawalVolumeRef],
        description: 'The volumes; none of nothing.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('withdrawalVolumes', (t) =>
  t.field({
    type: WithdrawalVolumePageRef,
    nullable: true,
    complexity: pageCost('history'),
    description:
      'What was withdrawn from a vault and paid in (startTime, endTime], out of the queues and at once. Errors: `VAULT_NOT_FOUND`.',
    args: {
      vaultAddress: t.arg({ type: 'Address', required: true, description: 'The vault.' }),
      startTime: t.arg({ type: 'UnixTime', required: true, description: 'Itself not included.' }),
      endTime: t.arg({ type: 'UnixTime', required: true, description: 'Itself included.' }),
      chainId: t.arg.int({
        description: 'Only withdrawals on this chain.',
        extensions: { value: chainIdParam },
      }),
      interval: t.arg.int({
        description:
          'Seconds, in full hours: one row for each multiple, cut at `startTime` and `endTime`. Without it there is one row for the whole time.',
        extensions: { value: intervalParam },
      }),
      ...pageArguments(),
    },
    extensions: checkedBy(volumeViolations),
    resolve: (_, { chainId, interval, pageToken, ...params }, context) =>
      listWithdrawalVolumes(context, {
        ...params,
        chainId: chainId ?? undefined,
        interval: interval ?? undefined,
        pageToken: pageToken ?? undefined,
      }),
  }),
)

/** A page token can only be checked with all the parameters that it belongs to. */
function volumeViolations(args: Partial<WithdrawalVolumeParams>, { context }: CheckContext) {
  const { vaultAddress, startTime, endTime, ...others } = args
  if (vaultAddress === undefined || startTime === undefined || endTime === undefined)
    return withdrawalVolumeViolations(args)
  const params = { vaultAddress, startTime, endTime, pageSize: DEFAULT_PAGE_SIZE, ...others }
  return attempt(() => withdrawalVolumeQuery(context, params)).refusal?.fieldViolations ?? []
}
