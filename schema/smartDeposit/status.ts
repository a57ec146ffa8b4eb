import type { SmartDepositStatus } from '../../domain/smartDeposit/smartDeposit.ts'
import { builder } from '../builder.ts'

export const SmartDepositStatusRef = builder.enumType('SmartDepositStatus', {
  description: 'The state of a smart deposit.',
  values: {
    PENDING: { description: 'The payment arrived. It is not forwarded yet.' },
    CONFIRMED: {
      description: 'The payment is deposited in the vault and the user has the shares.',
    },
    FINALIZED: { description: "CONFIRMED, and deeper than the chain's finality depth." },
    FAILED: { description: 'The payment was not deposited. `remediation` shows where it is.' },
    REVERTED: { description: 'A chain reorganisation removed the payment itself.' },
  } satisfies Record<SmartDepositStatus, { description: string }>,
})
