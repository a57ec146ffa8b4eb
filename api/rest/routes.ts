import { accessRoutes } from './access.ts'
import { adminRoutes } from './admin.ts'
import { catalogueRoutes } from './catalogue.ts'
import { activityRoutes } from './earn/activity.ts'
import { depositRoutes } from './earn/deposits.ts'
import { journeyRoutes } from './earn/journeys.ts'
import { positionRoutes } from './earn/positions.ts'
import { seriesRoutes } from './earn/series.ts'
import { vaultRoutes } from './earn/vaults.ts'
import { withdrawalRequestRoutes } from './earn/withdrawalRequests.ts'
import { withdrawalRoutes } from './earn/withdrawals.ts'
import { memberRoutes } from './members.ts'
import type { Route } from './route.ts'
import { smartDepositRoutes } from './smartDeposits.ts'
import { orderRoutes } from './transit/orders.ts'
import { quoteRoutes } from './transit/quotes.ts'
import { routeApprovalRoutes } from './transit/routeApprovals.ts'
import { transitRouteRoutes } from './transit/routes.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every REST route: the server serves them and docs/openapi.json describes them, in this order. */
export const routes: readonly Route[] = [
  ...catalogueRoutes,
  ...transitRouteRoutes,
  ...quoteRoutes,
  ...orderRoutes,
  ...routeApprovalRoutes,
  ...vaultRoutes,
  ...depositRoutes,
  ...withdrawalRoutes,
  ...seriesRoutes,
  ...positionRoutes,
  ...activityRoutes,
  ...withdrawalRequestRoutes,
  ...journeyRoutes,
  ...smartDepositRoutes,
  ...webhookRoutes,
  ...accessRoutes,
  ...memberRoutes,
  ...adminRoutes,
]

const EARN = '/v2/earn/'

/** The routes, with those of Earn also under each of these names: `PRODUCT_SEGMENTS`. */
export function withSegments(all: readonly Route[], segments: string[]): Route[] {
  return all.flatMap((route) => {
    if (!route.path.startsWith(EARN)) return [route]
    const rest = route.path.slice(EARN.length)
    return [route, ...segments.map((segment) => ({ ...route, path: `/v2/${segment}/${rest}` }))]
  })
}
