import {
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  type RouteComponent,
} from '@tanstack/react-router'
import { textsIn } from './api/search.ts'
import { Crashed, NotFound, Waiting } from './app/Fallbacks.tsx'
import { readAuditSearch } from './audit/auditSearch.ts'
import { readEventSearch } from './events/eventSearch.ts'
import { readRequestSearch } from './requests/requestSearch.ts'
import { root } from './rootRoute.ts'
import { readSignInSearch } from './signIn/signInSearch.ts'
import { readDepositSearch } from './smartDeposits/depositSearch.ts'
import { readOrderSearch } from './transit/orderSearch.ts'
import { readJourneySearch } from './tryIt/journeyName.ts'
import { readDeliverySearch } from './webhooks/deliverySearch.ts'

/** A page without a search of its own. */
function page<const Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component })
}

/** A page whose address has a search. */
function searched<const Path extends string, Search extends object>(
  path: Path,
  validateSearch: (given: Record<string, unknown>) => Search,
  component: RouteComponent,
) {
  return createRoute({ getParentRoute: () => root, path, validateSearch, component })
}

const PAGES = [
  page(
    '/console',
    lazy(() => import('./overview/OverviewPage.tsx'), 'OverviewPage'),
  ),
  searched(
    '/console/transit',
    readOrderSearch,
    lazy(() => import('./transit/TransitPage.tsx'), 'TransitPage'),
  ),
  page(
    '/console/routes',
    lazy(() => import('./transit/RoutesPage.tsx'), 'RoutesPage'),
  ),
  page(
    '/orders/$orderId',
    lazy(() => import('./orders/OrderPage.tsx'), 'OrderPage'),
  ),
  page(
    '/console/earn',
    lazy(() => import('./earn/VaultsPage.tsx'), 'VaultsPage'),
  ),
  page(
    '/console/earn/$chainId/$vaultAddress',
    lazy(() => import('./earn/VaultPage.tsx'), 'VaultPage'),
  ),
  page(
    '/console/users/$userAddress',
    lazy(() => import('./earn/UserPage.tsx'), 'UserPage'),
  ),
  searched(
    '/console/sign-in',
    readSignInSearch,
    lazy(() => import('./signIn/SignInPage.tsx'), 'SignInPage'),
  ),
  page(
    '/console/invitation',
    lazy(() => import('./signIn/InvitationPage.tsx'), 'InvitationPage'),
  ),
  page(
    '/console/account',
    lazy(() => import('./account/AccountPage.tsx'), 'AccountPage'),
  ),
  searched(
    '/console/smart-deposits',
    readDepositSearch,
    lazy(() => import('./smartDeposits/SmartDepositsPage.tsx'), 'SmartDepositsPage'),
  ),
  page(
    '/console/smart-deposits/$depositId',
    lazy(() => import('./smartDeposits/DepositPage.tsx'), 'DepositPage'),
  ),
  page(
    '/console/smart-deposits/addresses/$address',
    lazy(() => import('./smartDeposits/AddressPage.tsx'), 'AddressPage'),
  ),
  searched(
    '/console/try',
    readJourneySearch,
    lazy(() => import('./tryIt/TryItPage.tsx'), 'TryItPage'),
  ),
  page(
    '/console/webhooks',
    lazy(() => import('./webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  ),
  page(
    '/console/webhooks/new',
    lazy(() => import('./webhooks/NewEndpointPage.tsx'), 'NewEndpointPage'),
  ),
  searched(
    '/console/webhooks/catalogue',
    (given) => textsIn(given, 'type'),
    lazy(() => import('./webhooks/CataloguePage.tsx'), 'CataloguePage'),
  ),
  searched(
    '/console/webhooks/$endpointId',
    readDeliverySearch,
    lazy(() => import('./webhooks/EndpointPage.tsx'), 'EndpointPage'),
  ),
  page(
    '/console/webhooks/$endpointId/edit',
    lazy(() => import('./webhooks/EditEndpointPage.tsx'), 'EditEndpointPage'),
  ),
  searched(
    '/console/events',
    readEventSearch,
    lazy(() => import('./events/EventsPage.tsx'), 'EventsPage'),
  ),
  page(
    '/console/keys',
    lazy(() => import('./keys/KeysPage.tsx'), 'KeysPage'),
  ),
  page(
    '/console/usage',
    lazy(() => import('./usage/UsagePage.tsx'), 'UsagePage'),
  ),
  searched(
    '/console/requests',
    readRequestSearch,
    lazy(() => import('./requests/RequestsPage.tsx'), 'RequestsPage'),
  ),
  page(
    '/console/members',
    lazy(() => import('./organization/MembersPage.tsx'), 'MembersPage'),
  ),
  searched(
    '/console/audit',
    readAuditSearch,
    lazy(() => import('./audit/AuditPage.tsx'), 'AuditPage'),
  ),
  page(
    '/console/admin/organizations',
    lazy(() => import('./admin/OrganizationsPage.tsx'), 'OrganizationsPage'),
  ),
  page(
    '/console/admin/organizations/$organizationId',
    lazy(() => import('./admin/OrganizationPage.tsx'), 'OrganizationPage'),
  ),
  page(
    '/console/admin/routes',
    lazy(() => import('./admin/RouteStopsPage.tsx'), 'RouteStopsPage'),
  ),
  page(
    '/console/admin/index',
    lazy(() => import('./admin/IndexBuildsPage.tsx'), 'IndexBuildsPage'),
  ),
  page(
    '/console/admin/keepers',
    lazy(() => import('./admin/KeepersPage.tsx'), 'KeepersPage'),
  ),
  page(
    '/console/admin/rehearsal',
    lazy(() => import('./admin/RehearsalPage.tsx'), 'RehearsalPage'),
  ),
  searched(
    '/console/admin/audit',
    readAuditSearch,
    lazy(() => import('./audit/AuditPage.tsx'), 'CompleteAuditPage'),
  ),
] as const

export const router = createRouter({
  routeTree: root.addChildren(PAGES),
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
