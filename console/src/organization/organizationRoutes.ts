import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAuditSearch } from '../audit/auditSearch.ts'
import { root } from '../rootRoute.ts'

const members = createRoute({
  getParentRoute: () => root,
  path: '/console/members',
  component: lazyRouteComponent(() => import('./MembersPage.tsx'), 'MembersPage'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/console/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../audit/AuditPage.tsx'), 'AuditPage'),
})

/** The pages of one's organization. */
export const organizationRoutes = [members, audit] as const
