import {
  listWithdrawalRequests,
  type WithdrawalRequestPage,
} from '../../../domain/earn/withdrawals/listWithdrawalRequests.ts'
import {
  WITHDRAWAL_FILTER_KEYS,
  withdrawalListQuery,
} from '../../../domain/earn/withdrawals/withdrawalListQuery.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { pageCost } from '../../fieldCost.ts'
import { listArguments, listParams } from '../../listArguments.ts'
import { WithdrawalRequestRef } from './withdrawalRequest.ts'

const WithdrawalRequestPageRef = builder
  .objectRef<WithdrawalRequestPage>('WithdrawalRequestPage')
  .implement({
    description: 'A page of withdrawal requests, newest first.',
    fields: (t) => ({
      withdrawalRequests: t.expose('withdrawalRequests', {
        type: [WithdrawalRequestRef],
        description: 'The requests.',
      }),
      nextPageToken: t.exposeString('nextPageToken', {
        nullable: true,
        description: 'What asks for the next page; null on the last.',
      }),
    }),
  })

builder.queryField('withdrawalRequests', (t) =>
  t.field({
    type: WithdrawalRequestPageRef,
    nullable: true,
    complexity: pageCost('index'),
    description: 'The orders of the withdraw queues, newest first.',
    args: listArguments(WITHDRAWAL_FILTER_KEYS),
    extensions: checkedByQuery(withdrawalListQuery),
    resolve: (_, list, context) => listWithdrawalRequests(context, listParams(list)),
  }),
)
