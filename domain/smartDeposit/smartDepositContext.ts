import type { RequestScope } from '../context.ts'
import type { EarnServices } from '../earn/earnContext.ts'
import type { SmartDepositReads, SmartDepositWatch } from './smartDepositReads.ts'

/** A smart deposit ends in a vault, so its area uses Earn's. */
export type SmartDepositServices = EarnServices & {
  smartDepositReads: SmartDepositReads
  smartDepositWatch: SmartDepositWatch
}

export type SmartDepositContext = SmartDepositServices & RequestScope
