import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readEventSearch } from '../events/eventSearch.ts'
import { readRequestSearch } from '../requests/requestSearch.ts'
import { root } from '../rootRoute.ts'
import { readDeliverySearch } from '../webhooks/deliverySearch.ts'

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/console/webhooks',
  component: lazyRouteComponent(() => import('../webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
})
const newEndpoint = createRoute({
  getParentRoute: () => root,
  path: '/console/webhooks/new',
  component: lazyRouteComponent(() => import('../webhooks/NewEndpointPage.tsx'), 'NewEndpointPage'),
})
const catalogue = createRoute({
  getParentRoute: () => root,
  path: '/console/webhooks/catalogue',
  validateSearch: ({ type }: Record<string, unknown>): { type?: string } =>
    typeof type === 'string' ? { type } : {},
  component: lazyRouteComponent(() => import('../webhooks/CataloguePage.tsx'), 'CataloguePage'),
})
const endpoint = createRoute({
  getParentRoute: () => root,
  path: '/console/webhooks/$endpointId',
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import('../webhooks/EndpointPage.tsx'), 'EndpointPage'),
})
const editEndpoint = createRoute({
  getParentRoute: () => root,
  path: '/console/webhooks/$endpointId/edit',
  component: lazyRouteComponent(
    () => import('../webhooks/EditEndpointPage.tsx'),
    'EditEndpointPage',
  ),
})

const events = createRoute({
  getParentRoute: () => root,
  path: '/console/events',
  validateSearch: readEventSearch,
  component: lazyRouteComponent(() => import('../events/EventsPage.tsx'), 'EventsPage'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/console/keys',
  component: lazyRouteComponent(() => import('../keys/KeysPage.tsx'), 'KeysPage'),
})
const usage = createRoute({
  getParentRoute: () => root,
  path: '/console/usage',
  component: lazyRouteComponent(() => import('../usage/UsagePage.tsx'), 'UsagePage'),
})
const requests = createRoute({
  getParentRoute: () => root,
  path: '/console/requests',
  validateSearch: readRequestSearch,
  component: lazyRouteComponent(() => import('../requests/RequestsPage.tsx'), 'RequestsPage'),
})

/** The pages of Developers. */
export const developerRoutes = [
  webhooks,
  newEndpoint,
  catalogue,
  endpoint,
  editEndpoint,
  events,
  keys,
  usage,
  requests,
] as const
