import type { WithdrawalStatus } from '../../../domain/earn/withdrawals/withdrawalStatus.ts'
import { builder } from '../../builder.ts'

export const WithdrawalRequestStatusRef = builder.enumType('WithdrawalRequestStatus', {
  description: 'How far a withdrawal request is.',
  values: {
    PENDING: { description: 'It waits in its queue.' },
    COMPLETE: { description: 'It was paid.' },
    PENDING_REFUND: {
      description: 'It waits too, but was cancelled: its shares go back when the queue reaches it.',
    },
    REFUNDED: {
      description: 'It was not paid and its shares went back, or to recovery where that failed.',
    },
  } satisfies Record<WithdrawalStatus, { description: string }>,
})
