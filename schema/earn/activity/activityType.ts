import type { ActivityType } from '../../../domain/earn/activity/activity.ts'
import { builder } from '../../builder.ts'

export const ActivityTypeRef = builder.enumType('ActivityType', {
  description: 'What an activity did.',
  values: {
    DEPOSIT: { description: 'Assets were deposited, and the user got the shares.' },
    WITHDRAWAL_REQUESTED: { description: 'The user offered shares to the withdraw queue.' },
    WITHDRAWAL_COMPLETED: { description: 'A withdrawal request of the user was paid.' },
    WITHDRAWAL_ATOMIC: {
      description: 'The user gave shares for assets at once, without the queue.',
    },
    WITHDRAWAL_REFUND_REQUESTED: {
      description:
        'A withdrawal request of the user was cancelled, by its holder or by the operator. Its shares come back later.',
    },
    WITHDRAWAL_REFUNDED: {
      description:
        'The shares of a withdrawal request were sent back, to the user or to `counterparty`.',
    },
    TRANSFER_IN: { description: 'The user got shares from `counterparty`.' },
    TRANSFER_OUT: { description: 'The user sent shares to `counterparty`.' },
    SMART_DEPOSIT: {
      description: 'A payment to a smart deposit address of the user was deposited into the vault.',
    },
  } satisfies Record<ActivityType, { description: string }>,
})
