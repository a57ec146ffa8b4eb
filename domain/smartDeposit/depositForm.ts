import type { DEPOSITOR_GENERATIONS } from '../../abis/depositor.ts'

/** The forms of a depositor's `deposit`; the same as `DepositForm` in contracts/Depositors.sol. */
export const DEPOSIT_FORMS = { NONE: 0, PLAIN: 1, ATTESTED: 2 } as const

/** The form of a depositor of this generation: generation A has no attestation. */
export function depositFormOf(generation: (typeof DEPOSITOR_GENERATIONS)[number]): number {
  return generation === 'A' ? DEPOSIT_FORMS.PLAIN : DEPOSIT_FORMS.ATTESTED
}
