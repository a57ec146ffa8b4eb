import type { SmartDepositStatus } from '../../domain/smartDeposit/smartDeposit.ts'
import { builder } from '../builder.ts'

export const SmartDepositStatusRef = builder.enumType('SmartDepositStatus', {
  description: 'How far a smart deposit is.',
  values: {
    PENDING: { description: 'It came, and nothing was done with it yet.' },
    CONFIRMED: { description: 'It is in the vault, the shares with the user.' },
    FINALIZED: { description: 'The same, and too deep for a reorganisation.' },
    FAILED: { description: 'It did not get into the vault; `remediation` says where it is.' },
    REVERTED: { description: 'A reorganisation took the transfer itself back.' },
  } satisfies Record<SmartDepositStatus, { description: string }>,
})
