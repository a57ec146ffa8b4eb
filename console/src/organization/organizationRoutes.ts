import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../rootRoute.ts'
import { readAuditSearch } from './auditSearch.ts'

const members = createRoute({
  getParentRoute: () => root,
  path: '/console/members',
  component: lazyRouteComponent(() => import('./MembersPage.tsx'), 'MembersPage'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/console/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
})

/** The pages of one's organization. */
export const organizationRoutes = [members, audit] as const
