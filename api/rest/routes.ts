import { earnRoutes } from './earn.ts'
import { withdrawalRoutes } from './earnWithdrawals.ts'
import type { Route } from './route.ts'
import { smartDepositRoutes } from './smartDeposits.ts'
import { transitRoutes } from './transit.ts'

/** Every REST route: what the server serves and docs/openapi.json describes. */
export const routes: readonly Route[] = [
  ...transitRoutes,
  ...earnRoutes,
  ...withdrawalRoutes,
  ...smartDepositRoutes,
]

const EARN = '/v2/earn/'

/** The routes, those of Earn under each of these names as well: `PRODUCT_SEGMENTS`. */
export function withSegments(all: readonly Route[], segments: string[]): Route[] {
  return all.flatMap((route) => {
    if (!route.path.startsWith(EARN)) return [route]
    const rest = route.path.slice(EARN.length)
    return [route, ...segments.map((segment) => ({ ...route, path: `/v2/${segment}/${rest}` }))]
  })
}
