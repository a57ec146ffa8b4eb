import type { Activity, ActivityType } from '../../../domain/earn/activity/activity.ts'
import { activityListQuery } from '../../../domain/earn/activity/activityListQuery.ts'
import { type ActivityPage, listActivity } from '../../../domain/earn/activity/listActivity.ts'
import { amountOf } from '../../amountOf.ts'
import { optional } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { enumType } from '../../enumType.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listArguments } from '../../listArguments.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { activityAssets } from './activityAssets.ts'

const ActivityTypeRef = enumType<ActivityType>('ActivityType', {
  description: 'What an activity did.',
  values: {
    DEPOSIT: 'Assets were deposited, and the user got the shares.',
    WITHDRAWAL_REQUESTED: 'The user offered shares to the withdraw queue.',
    WITHDRAWAL_COMPLETED: 'A withdrawal request of the user was paid.',
    WITHDRAWAL_ATOMIC: 'The user gave shares for assets at once, without the queue.',
    WITHDRAWAL_REFUND_REQUESTED:
      'A withdrawal request of the user was cancelled, by its holder or by the operator. Its shares come back later.',
    WITHDRAWAL_REFUNDED:
      'The shares of a withdrawal request were sent back, to the user or to `counterparty`.',
    TRANSFER_IN: 'The user got shares from `counterparty`.',
    TRANSFER_OUT: 'The user sent shares to `counterparty`.',
    SMART_DEPOSIT: 'A payment to a smart deposit address of the user was deposited into the vault.',
  },
})

const ActivityRef = builder.objectRef<Activity>('Activity').implement({
  description:
    'One step of a user in a vault: a deposit, a step of a withdrawal, or a transfer of shares.',
  fields: fieldsOf(() => ({
    id: nonNull.string(
      'The id: `<chainId>:<txHash>:<logIndex>`, and `:IN` or `:OUT` for the two sides of a transfer. It is the same after the chain is indexed anew.',
    ),
    type: nonNull.of(ActivityTypeRef, 'What happened.'),
    chainId: nonNull.int('The chain id.'),
    vaultAddress: nonNull.address('The address of the vault.').from('vault'),
    userAddress: nonNull.address('The account whose shares it is about.'),
    counterparty: nullable.address(
      'The other account: who sent or got shares in a transfer, who paid a deposit, who was paid or refunded. Null where it is the user alone.',
    ),
    assetAddress: nullable.address(
      'The token that was deposited, asked for or paid. Null where there is none.',
    ),
    assetAmount: nullable.amount(
      'The amount that was deposited (with the fee) or paid, in base units of `assetAddress`. Null where nothing was.',
      { extensions: amountOf('assetAddress') },
    ),
    shareAmount: nonNull.amount(
      'The shares: those that the user got, gave or offered, in base units. A paid request has all that was offered, with the fee of the queue.',
      { extensions: amountOf('vaultAddress') },
    ),
    exchangeRateToBase: nonNull.string(
      'The price of one whole share at that moment, in whole base tokens with all their decimals.',
    ),
    valueInBase: nonNull.string(
      'The value of `shareAmount` at that price, rounded down, in whole base tokens with all their decimals.',
    ),
    txHash: nonNull.hash('The hash of the transaction.').from('transactionHash'),
    logIndex: nonNull.int('The index of its log in the block.'),
    blockNumber: nonNull.blockNumber('The number of its block.'),
    timestamp: nonNull.dateTime('The time of its block.'),
    orderIndex: nullable.amount(
      'The number of the withdrawal request in its queue. Null for what is not about a request.',
    ),
    depositId: nullable.hash(
      "The id of the smart deposit. Null unless it is a SMART_DEPOSIT to an address that the caller's organization registered.",
    ),
  })),
})

const ActivityPageRef = pageRef<ActivityPage>('ActivityPage', {
  description: 'A page of activities, the newest first.',
  fields: { activity: nonNull.of([ActivityRef], 'The activities.') },
  tokens: {
    description:
      'The base tokens, shares and assets on this page. A base that is not a token has `token_standard` NONE.',
    of: ({ activity }) => activityAssets(activity),
    known: ({ activity }) => activity.map(({ base }) => base),
  },
})

listField('activity', {
  type: ActivityPageRef,
  reads: 'index',
  description:
    'The history of a user or of a vault, the newest first: deposits, steps of withdrawals, and transfers of shares. The filter needs `userAddress = …` or `vaultAddress = …`.',
  args: {
    ...listArguments(activityListQuery.keys),
    startTime: optional.unixTime('Activities are later than this time, in Unix seconds.'),
    endTime: optional.unixTime('Activities are not later than this time, in Unix seconds.'),
  },
  query: activityListQuery,
  list: listActivity,
})
