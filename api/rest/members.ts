import { fragmentOf } from './fragmentOf.ts'
import { graphql, type Route, route } from './route.ts'

const LIST_ERRORS = ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'] as const

const listMembersRoute = route({
  method: 'GET',
  path: '/v1/access/members',
  operationId: 'listMembers',
  field: 'members',
  selection: graphql`{ members { ...Member } nextPageToken }`,
  fragments: fragmentOf('Member'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const changeMemberRoleRoute = route({
  method: 'PATCH',
  path: '/v1/access/members/{userId}',
  operationId: 'changeMemberRole',
  field: 'changeMemberRole',
  key: 'member',
  selection: graphql`{ ...Member }`,
  fragments: fragmentOf('Member'),
  errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  cache: 'no-store',
})

const removeMemberRoute = route({
  method: 'DELETE',
  path: '/v1/access/members/{userId}',
  operationId: 'removeMember',
  field: 'removeMember',
  key: 'member',
  selection: graphql`{ ...Member }`,
  fragments: fragmentOf('Member'),
  errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  cache: 'no-store',
})

const listInvitationsRoute = route({
  method: 'GET',
  path: '/v1/access/invitations',
  operationId: 'listInvitations',
  field: 'invitations',
  selection: graphql`{ invitations { ...Invitation } nextPageToken }`,
  fragments: fragmentOf('Invitation'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

const inviteMemberRoute = route({
  method: 'POST',
  path: '/v1/access/invitations',
  operationId: 'inviteMember',
  field: 'inviteMember',
  selection: graphql`{ invitation { ...Invitation } link }`,
  fragments: fragmentOf('Invitation'),
  errors: ['CONSOLE_OFF'],
  cache: 'no-store',
})

const revokeInvitationRoute = route({
  method: 'DELETE',
  path: '/v1/access/invitations/{invitationId}',
  operationId: 'revokeInvitation',
  field: 'revokeInvitation',
  key: 'invitation',
  selection: graphql`{ ...Invitation }`,
  fragments: fragmentOf('Invitation'),
  errors: ['INVITATION_NOT_FOUND'],
  cache: 'no-store',
})

const listAuditLogRoute = route({
  method: 'GET',
  path: '/v1/access/auditLog',
  operationId: 'listAuditLog',
  field: 'auditLog',
  selection: graphql`{ actions { ...LoggedAction } nextPageToken }`,
  fragments: fragmentOf('LoggedAction'),
  errors: [...LIST_ERRORS],
  cache: 'private, no-cache',
})

/** The members of an organization, their invitations, and what was changed. */
export const memberRoutes: readonly Route[] = [
  listMembersRoute,
  changeMemberRoleRoute,
  removeMemberRoute,
  listInvitationsRoute,
  inviteMemberRoute,
  revokeInvitationRoute,
  listAuditLogRoute,
]
