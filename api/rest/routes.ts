import type { Route } from './route.ts'
import { transitRoutes } from './transit.ts'

/** Every REST route: what the server serves and docs/openapi.json describes. */
export const routes: readonly Route[] = [...transitRoutes]
