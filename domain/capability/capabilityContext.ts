import type { RequestScope } from '../context.ts'
import type { SmartDepositServices } from '../smartDeposit/smartDepositContext.ts'
import type { TransitServices } from '../transit/transitContext.ts'
import type { PublicConditions } from './vaultConditions.ts'

/** Capabilities use the checks of Transit, Earn and smart deposits, so they need the services of all three. */
export type CapabilityServices = TransitServices &
  SmartDepositServices & { publicConditions: PublicConditions }

export type CapabilityContext = CapabilityServices & RequestScope
