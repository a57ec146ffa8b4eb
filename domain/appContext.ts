import type { RequestScope } from './context.ts'
import type { SmartDepositServices } from './smartDeposit/smartDepositContext.ts'
import type { TransitServices } from './transit/transitContext.ts'
import type { WebhookServices } from './webhook/webhookContext.ts'

/** The services of all areas; those of Earn come with those of smart deposits. */
export type AppServices = TransitServices & SmartDepositServices & WebhookServices

/** What schema and api give to every area. */
export type AppContext = AppServices & RequestScope
