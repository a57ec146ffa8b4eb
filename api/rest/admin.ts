import { fragmentOf } from './fragmentOf.ts'
import { graphql, type Route, route } from './route.ts'

const LIST_ERRORS = ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'] as const

const listOrganizationsRoute = route({
  method: 'GET',
  path: '/v1/admin/organizations',
  operationId: 'listOrganizations',
  field: 'organizations',
  selection: graphql`{ organizations { ...Organization } nextPageToken }`,
  fragments: fragmentOf('Organization'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const createOrganizationRoute = route({
  method: 'POST',
  path: '/v1/admin/organizations',
  operationId: 'createOrganization',
  field: 'createOrganization',
  key: 'organization',
  selection: graphql`{ ...Organization }`,
  fragments: fragmentOf('Organization'),
  errors: ['ORGANIZATION_NAME_TAKEN'],
  cache: 'no-store',
})

const updateOrganizationRoute = route({
  method: 'PATCH',
  path: '/v1/admin/organizations/{organizationId}',
  operationId: 'updateOrganization',
  field: 'updateOrganization',
  key: 'organization',
  selection: graphql`{ ...Organization }`,
  fragments: fragmentOf('Organization'),
  errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_NAME_TAKEN'],
  cache: 'no-store',
})

const listOrganizationMembersRoute = route({
  method: 'GET',
  path: '/v1/admin/organizations/{organizationId}/members',
  operationId: 'listOrganizationMembers',
  field: 'organizationMembers',
  selection: graphql`{ members { ...Member } nextPageToken }`,
  fragments: fragmentOf('Member'),
  errors: [...LIST_ERRORS, 'ORGANIZATION_NOT_FOUND'],
  cache: 'private, no-cache',
})

const listOperatorsRoute = route({
  method: 'GET',
  path: '/v1/admin/operators',
  operationId: 'listOperators',
  field: 'operators',
  selection: graphql`{ members { ...Member } nextPageToken }`,
  fragments: fragmentOf('Member'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const listCompleteAuditLogRoute = route({
  method: 'GET',
  path: '/v1/admin/auditLog',
  operationId: 'listCompleteAuditLog',
  field: 'completeAuditLog',
  selection: graphql`{ actions { ...LoggedAction } nextPageToken }`,
  fragments: fragmentOf('LoggedAction'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const listTransitStopsRoute = route({
  method: 'GET',
  path: '/v1/admin/transitStops',
  operationId: 'listTransitStops',
  field: 'transitStops',
  selection: graphql`{ stops { ...TransitStop } nextPageToken }`,
  fragments: fragmentOf('TransitStop'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const stopTransitRouteRoute = route({
  method: 'POST',
  path: '/v1/admin/transitRoutes/stop',
  operationId: 'stopTransitRoute',
  field: 'stopTransitRoute',
  key: 'stop',
  selection: graphql`{ ...TransitStop }`,
  fragments: fragmentOf('TransitStop'),
  errors: ['ROUTE_NOT_FOUND'],
  cache: 'no-store',
})

const openTransitRouteRoute = route({
  method: 'POST',
  path: '/v1/admin/transitRoutes/open',
  operationId: 'openTransitRoute',
  field: 'openTransitRoute',
  key: 'stop',
  selection: graphql`{ ...TransitStop }`,
  fragments: fragmentOf('TransitStop'),
  errors: ['TRANSIT_STOP_NOT_FOUND'],
  cache: 'no-store',
})

const listIndexBuildsRoute = route({
  method: 'GET',
  path: '/v1/admin/indexBuilds',
  operationId: 'listIndexBuilds',
  field: 'indexBuilds',
  selection: graphql`{ indexBuilds { ...IndexBuild } nextPageToken }`,
  fragments: fragmentOf('IndexBuild'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const listKeepersRoute = route({
  method: 'GET',
  path: '/v1/admin/keepers',
  operationId: 'listKeepers',
  field: 'keepers',
  selection: graphql`{ keepers { ...Keeper } nextPageToken }`,
  fragments: fragmentOf('Keeper'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const getRehearsalRoute = route({
  method: 'GET',
  path: '/v1/admin/rehearsal',
  operationId: 'getRehearsal',
  field: 'rehearsal',
  key: 'rehearsal',
  selection: graphql`{ ...Rehearsal }`,
  fragments: fragmentOf('Rehearsal'),
  errors: ['REHEARSAL_NOT_FOUND'],
  cache: 'private, no-cache',
})

/** The operator's matters: organizations, stops of quotes, the index, the keeper, the rehearsal, and every change. */
export const adminRoutes: readonly Route[] = [
  listOrganizationsRoute,
  createOrganizationRoute,
  updateOrganizationRoute,
  listOrganizationMembersRoute,
  listOperatorsRoute,
  listCompleteAuditLogRoute,
  listTransitStopsRoute,
  stopTransitRouteRoute,
  openTransitRouteRoute,
  listIndexBuildsRoute,
  listKeepersRoute,
  getRehearsalRoute,
]
