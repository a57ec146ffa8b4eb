import {
  listWithdrawalRequests,
  type WithdrawalRequestPage,
} from '../../../domain/earn/withdrawals/listWithdrawalRequests.ts'
import { withdrawalListQuery } from '../../../domain/earn/withdrawals/withdrawalListQuery.ts'
import { nonNull } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
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

listField('withdrawalRequests', {
  type: WithdrawalRequestPageRef,
  reads: 'chains',
  description: 'Withdrawal requests, the newest first.',
  query: withdrawalListQuery,
  list: listWithdrawalRequests,
})
