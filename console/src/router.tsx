import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { textsIn } from './api/search.ts'
import { Crashed, NotFound, Waiting } from './app/Fallbacks.tsx'
import { Shell } from './app/Shell.tsx'
import { readAuditSearch } from './audit/auditSearch.ts'
import { readEventSearch } from './events/eventSearch.ts'
import { readRequestSearch } from './requests/requestSearch.ts'
import { readSignInSearch } from './signIn/signInSearch.ts'
import { readDepositSearch } from './smartDeposits/depositSearch.ts'
import { readOrderSearch } from './transit/orderSearch.ts'
import { readJourneySearch } from './tryIt/journeyName.ts'
import { readDeliverySearch } from './webhooks/deliverySearch.ts'

/** The parent of all pages. */
const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** A module that is loaded for its page, which it exports by this name. */
type Load<Name extends string> = () => Promise<Record<Name, () => ReactNode>>

function component<Name extends string>(load: Load<Name>, name: Name): RouteComponent {
  return lazyRouteComponent<Record<string, () => ReactNode>, string>(load, name)
}

/** A page without a search of its own. */
function page<const Path extends string, Name extends string>(
  path: Path,
  load: Load<NoInfer<Name>>,
  name: Name,
) {
  return createRoute({ getParentRoute: () => root, path, component: component(load, name) })
}

/** A page whose address has a search. */
function searched<const Path extends string, Search extends object, Name extends string>(
  path: Path,
  validateSearch: (given: Record<string, unknown>) => Search,
  load: Load<NoInfer<Name>>,
  name: Name,
) {
  const options = { path, validateSearch, component: component(load, name) }
  return createRoute({ getParentRoute: () => root, ...options })
}

const PAGES = [
  page('/console', () => import('./overview/OverviewPage.tsx'), 'OverviewPage'),
  searched(
    '/console/transit',
    readOrderSearch,
    () => import('./transit/TransitPage.tsx'),
    'TransitPage',
  ),
  page('/console/routes', () => import('./transit/RoutesPage.tsx'), 'RoutesPage'),
  page('/orders/$orderId', () => import('./orders/OrderPage.tsx'), 'OrderPage'),
  page('/console/earn', () => import('./earn/VaultsPage.tsx'), 'VaultsPage'),
  page('/console/earn/$chainId/$vaultAddress', () => import('./earn/VaultPage.tsx'), 'VaultPage'),
  page('/console/users/$userAddress', () => import('./earn/UserPage.tsx'), 'UserPage'),
  searched(
    '/console/sign-in',
    readSignInSearch,
    () => import('./signIn/SignInPage.tsx'),
    'SignInPage',
  ),
  page('/console/invitation', () => import('./signIn/InvitationPage.tsx'), 'InvitationPage'),
  page('/console/account', () => import('./account/AccountPage.tsx'), 'AccountPage'),
  searched(
    '/console/smart-deposits',
    readDepositSearch,
    () => import('./smartDeposits/SmartDepositsPage.tsx'),
    'SmartDepositsPage',
  ),
  page(
    '/console/smart-deposits/$depositId',
    () => import('./smartDeposits/DepositPage.tsx'),
    'DepositPage',
  ),
  page(
    '/console/smart-deposits/addresses/$address',
    () => import('./smartDeposits/AddressPage.tsx'),
    'AddressPage',
  ),
  searched('/console/try', readJourneySearch, () => import('./tryIt/TryItPage.tsx'), 'TryItPage'),
  page('/console/webhooks', () => import('./webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  page('/console/webhooks/new', () => import('./webhooks/NewEndpointPage.tsx'), 'NewEndpointPage'),
  searched(
    '/console/webhooks/catalogue',
    (given) => textsIn(given, 'type'),
    () => import('./webhooks/CataloguePage.tsx'),
    'CataloguePage',
  ),
  searched(
    '/console/webhooks/$endpointId',
    readDeliverySearch,
    () => import('./webhooks/EndpointPage.tsx'),
    'EndpointPage',
  ),
  page(
    '/console/webhooks/$endpointId/edit',
    () => import('./webhooks/EditEndpointPage.tsx'),
    'EditEndpointPage',
  ),
  searched(
    '/console/events',
    readEventSearch,
    () => import('./events/EventsPage.tsx'),
    'EventsPage',
  ),
  page('/console/keys', () => import('./keys/KeysPage.tsx'), 'KeysPage'),
  page('/console/usage', () => import('./usage/UsagePage.tsx'), 'UsagePage'),
  searched(
    '/console/requests',
    readRequestSearch,
    () => import('./requests/RequestsPage.tsx'),
    'RequestsPage',
  ),
  page('/console/members', () => import('./organization/MembersPage.tsx'), 'MembersPage'),
  searched('/console/audit', readAuditSearch, () => import('./audit/AuditPage.tsx'), 'AuditPage'),
  page(
    '/console/admin/organizations',
    () => import('./admin/OrganizationsPage.tsx'),
    'OrganizationsPage',
  ),
  page(
    '/console/admin/organizations/$organizationId',
    () => import('./admin/OrganizationPage.tsx'),
    'OrganizationPage',
  ),
  page('/console/admin/routes', () => import('./admin/RouteStopsPage.tsx'), 'RouteStopsPage'),
  page('/console/admin/index', () => import('./admin/IndexBuildsPage.tsx'), 'IndexBuildsPage'),
  page('/console/admin/keepers', () => import('./admin/KeepersPage.tsx'), 'KeepersPage'),
  page('/console/admin/rehearsal', () => import('./admin/RehearsalPage.tsx'), 'RehearsalPage'),
  searched(
    '/console/admin/audit',
    readAuditSearch,
    () => import('./audit/AuditPage.tsx'),
    'CompleteAuditPage',
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
