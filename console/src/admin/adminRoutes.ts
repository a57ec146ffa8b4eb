import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAuditSearch } from '../audit/auditSearch.ts'
import { root } from '../rootRoute.ts'

const organizations = createRoute({
  getParentRoute: () => root,
  path: '/console/admin/organizations',
  component: lazyRouteComponent(() => import('./OrganizationsPage.tsx'), 'OrganizationsPage'),
})
const organization = createRoute({
  getParentRoute: () => root,
  path: '/console/admin/organizations/$organizationId',
  component: lazyRouteComponent(() => import('./OrganizationPage.tsx'), 'OrganizationPage'),
})
const stops = createRoute({
  getParentRoute: () => root,
  path: '/console/admin/routes',
  component: lazyRouteComponent(() => import('./RouteStopsPage.tsx'), 'RouteStopsPage'),
})
const builds = createRoute({
  getParentRoute: () => root,
  path: '/console/admin/index',
  component: lazyRouteComponent(() => import('./IndexBuildsPage.tsx'), 'IndexBuildsPage'),
})
const keepers = createRoute({
  getParentRoute: () => root,
  path: '/console/admin/keepers',
  component: lazyRouteComponent(() => import('./KeepersPage.tsx'), 'KeepersPage'),
})
const rehearsal = createRoute({
  getParentRoute: () => root,
  path: '/console/admin/rehearsal',
  component: lazyRouteComponent(() => import('./RehearsalPage.tsx'), 'RehearsalPage'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/console/admin/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../audit/AuditPage.tsx'), 'CompleteAuditPage'),
})

/** The pages of operators. */
export const adminRoutes = [
  organizations,
  organization,
  stops,
  builds,
  keepers,
  rehearsal,
  audit,
] as const
