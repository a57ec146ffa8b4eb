import type { CatalogueServices } from './catalogue/catalogueContext.ts'
import type { RequestScope } from './context.ts'
import type { SmartDepositServices } from './smartDeposit/smartDepositContext.ts'
import type { TransitServices } from './transit/transitContext.ts'
import type { WebhookServices } from './webhook/webhookContext.ts'

/** The services of all areas. Earn's services include those of smart deposits. */
export type AppServices = TransitServices &
  SmartDepositServices &
  WebhookServices &
  CatalogueServices

/** The context that schema and api pass to every area. */
export type AppContext = AppServices & RequestScope
