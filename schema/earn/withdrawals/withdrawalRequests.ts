import {
  listWithdrawalRequests,
  type WithdrawalRequestPage,
} from '../../../domain/earn/withdrawals/listWithdrawalRequests.ts'
import {
  WITHDRAWAL_FILTER_KEYS,
  withdrawalListQuery,
} from '../../../domain/earn/withdrawals/withdrawalListQuery.ts'
import { checkedByQuery } from '../../argumentChecks.ts'
import { queryField } from '../../declareRootField.ts'
import { pageCost } from '../../fieldCost.ts'
import { nonNull } from '../../fieldsOf.ts'
import { listArguments } from '../../listArguments.ts'
import { pageRef } from '../../page.ts'
import { withoutNulls } from '../../withoutNulls.ts'
import { requestAssets } from './requestAssets.ts'
import { WithdrawalRequestRef } from './withdrawalRequest.ts'

const WithdrawalRequestPageRef = pageRef<WithdrawalRequestPage>('WithdrawalRequestPage', {
  description: 'A page of withdrawal requests, the newest first.',
  fields: { withdrawalRequests: nonNull.of([WithdrawalRequestRef], 'The withdrawal requests.') },
  tokens: {
    description: 'The tokens of this page, and the shares.',
    of: ({ withdrawalRequests }) => requestAssets(withdrawalRequests),
  },
})

queryField('withdrawalRequests', {
  type: WithdrawalRequestPageRef,
  complexity: pageCost('chains'),
  description: 'Withdrawal requests, the newest first.',
  args: listArguments(WITHDRAWAL_FILTER_KEYS),
  extensions: checkedByQuery(withdrawalListQuery),
  resolve: (given, args, context) =>
    given.withdrawalRequests ?? listWithdrawalRequests(context, withoutNulls(args)),
})
