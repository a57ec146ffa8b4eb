import type { RequestScope } from '../context.ts'
import type { SmartDepositServices } from '../smartDeposit/smartDepositContext.ts'
import type { TransitServices } from '../transit/transitContext.ts'
import type { PublicConditions } from './vaultConditions.ts'

/** What is open is judged as the calls of all three areas judge it. */
export type CapabilityServices = TransitServices &
  SmartDepositServices & { publicConditions: PublicConditions }

export type CapabilityContext = CapabilityServices & RequestScope
