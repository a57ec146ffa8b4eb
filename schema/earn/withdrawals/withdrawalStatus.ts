import type { WithdrawalStatus } from '../../../domain/earn/withdrawals/withdrawalStatus.ts'
import { builder } from '../../builder.ts'

export const WithdrawalRequestStatusRef = builder.enumType('WithdrawalRequestStatus', {
  description: 'The state of a withdrawal request.',
  values: {
    PENDING: { description: 'The request waits in its queue.' },
    COMPLETE: { description: 'The request was paid.' },
    PENDING_REFUND: {
      description: 'The request was cancelled. Its shares are refunded when the queue reaches it.',
    },
    REFUNDED: {
      description:
        "The request was not paid. Its shares were refunded, or went to the queue's recovery address where the refund failed.",
    },
  } satisfies Record<WithdrawalStatus, { description: string }>,
})
