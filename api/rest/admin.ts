import { graphql, type Route, route } from './route.ts'

/** The operator's matters: organizations, stops of quotes, the index, the keeper, the rehearsal, and every change. */
export const adminRoutes: readonly Route[] = [
  route({
    path: '/v1/admin/organizations',
    operationId: 'listOrganizations',
    field: 'organizations',
    selection: graphql`{ organizations { ...Organization } nextPageToken }`,
  }),
  route({
    path: '/v1/admin/organizations',
    field: 'createOrganization',
    key: 'organization',
    selection: graphql`{ ...Organization }`,
    errors: ['ORGANIZATION_NAME_TAKEN'],
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/organizations/{organizationId}',
    field: 'updateOrganization',
    key: 'organization',
    selection: graphql`{ ...Organization }`,
    errors: ['ORGANIZATION_NOT_FOUND', 'ORGANIZATION_NAME_TAKEN'],
  }),
  route({
    path: '/v1/admin/organizations/{organizationId}/members',
    operationId: 'listOrganizationMembers',
    field: 'organizationMembers',
    selection: graphql`{ members { ...Member } nextPageToken }`,
    errors: ['ORGANIZATION_NOT_FOUND'],
  }),
  route({
    path: '/v1/admin/operators',
    operationId: 'listOperators',
    field: 'operators',
    selection: graphql`{ members { ...Member } nextPageToken }`,
  }),
  route({
    path: '/v1/admin/auditLog',
    operationId: 'listCompleteAuditLog',
    field: 'completeAuditLog',
    selection: graphql`{ actions { ...LoggedAction } nextPageToken }`,
  }),
  route({
    path: '/v1/admin/transitStops',
    operationId: 'listTransitStops',
    field: 'transitStops',
    selection: graphql`{ stops { ...TransitStop } nextPageToken }`,
  }),
  route({
    path: '/v1/admin/transitRoutes/stop',
    field: 'stopTransitRoute',
    key: 'stop',
    selection: graphql`{ ...TransitStop }`,
    errors: ['ROUTE_NOT_FOUND'],
  }),
  route({
    path: '/v1/admin/transitRoutes/open',
    field: 'openTransitRoute',
    key: 'stop',
    selection: graphql`{ ...TransitStop }`,
    errors: ['TRANSIT_STOP_NOT_FOUND'],
  }),
  route({
    path: '/v1/admin/indexBuilds',
    operationId: 'listIndexBuilds',
    field: 'indexBuilds',
    selection: graphql`{ indexBuilds { ...IndexBuild } nextPageToken }`,
  }),
  route({
    path: '/v1/admin/keepers',
    operationId: 'listKeepers',
    field: 'keepers',
    selection: graphql`{ keepers { ...Keeper } nextPageToken }`,
  }),
  route({
    path: '/v1/admin/rehearsal',
    operationId: 'getRehearsal',
    field: 'rehearsal',
    key: 'rehearsal',
    selection: graphql`{ ...Rehearsal }`,
    errors: ['REHEARSAL_NOT_FOUND'],
  }),
]
