import type { CapabilityServices } from './capability/capabilityContext.ts'
import type { CatalogueServices } from './catalogue/catalogueContext.ts'
import type { RequestScope } from './context.ts'
import type { JourneyServices } from './journey/journeyContext.ts'
import type { WebhookServices } from './webhook/webhookContext.ts'

/** The services of all areas. Those of journeys include Transit's, Earn's and those of smart deposits. */
export type AppServices = JourneyServices & WebhookServices & CatalogueServices & CapabilityServices

/** The context that schema and api pass to every area. */
export type AppContext = AppServices & RequestScope
