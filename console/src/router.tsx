import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoutes } from './account/accountRoutes.ts'
import { adminRoutes } from './admin/adminRoutes.ts'
import { Crashed, NotFound, Waiting } from './app/Fallbacks.tsx'
import { developerRoutes } from './developers/developerRoutes.ts'
import { organizationRoutes } from './organization/organizationRoutes.ts'
import { root } from './rootRoute.ts'
import { smartDepositRoutes } from './smartDeposits/smartDepositRoutes.ts'
import { readOrderSearch } from './transit/orderSearch.ts'
import { tryItRoutes } from './tryIt/tryItRoutes.ts'

const overview = createRoute({
  getParentRoute: () => root,
  path: '/console',
  component: lazyRouteComponent(() => import('./overview/OverviewPage.tsx'), 'OverviewPage'),
})
const transit = createRoute({
  getParentRoute: () => root,
  path: '/console/transit',
  validateSearch: readOrderSearch,
  component: lazyRouteComponent(() => import('./transit/TransitPage.tsx'), 'TransitPage'),
})
const routes = createRoute({
  getParentRoute: () => root,
  path: '/console/routes',
  component: lazyRouteComponent(() => import('./transit/RoutesPage.tsx'), 'RoutesPage'),
})
const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('./orders/OrderPage.tsx'), 'OrderPage'),
})
const earn = createRoute({
  getParentRoute: () => root,
  path: '/console/earn',
  component: lazyRouteComponent(() => import('./earn/VaultsPage.tsx'), 'VaultsPage'),
})
const vault = createRoute({
  getParentRoute: () => root,
  path: '/console/earn/$chainId/$vaultAddress',
  component: lazyRouteComponent(() => import('./earn/VaultPage.tsx'), 'VaultPage'),
})
const user = createRoute({
  getParentRoute: () => root,
  path: '/console/users/$userAddress',
  component: lazyRouteComponent(() => import('./earn/UserPage.tsx'), 'UserPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    transit,
    routes,
    order,
    earn,
    vault,
    user,
    ...accountRoutes,
    ...smartDepositRoutes,
    ...tryItRoutes,
    ...developerRoutes,
    ...organizationRoutes,
    ...adminRoutes,
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: NotFound,
  trailingSlash: 'never',
})

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be merged with the router's own.
  interface Register {
    router: typeof router
  }
}
