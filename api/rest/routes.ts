import type { Route } from './route.ts'
import { getTransitOrderRoute, listTransitOrdersRoute } from './transit.ts'

/** Every REST route: what the server serves and docs/openapi.json describes. */
export const routes: readonly Route[] = [getTransitOrderRoute, listTransitOrdersRoute]
