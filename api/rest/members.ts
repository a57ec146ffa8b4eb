import { graphql, type Route, route } from './route.ts'

const LIST_ERRORS = ['INVALID_FILTER', 'INVALID_PAGE_TOKEN'] as const

/** The members of an organization, their invitations, and what was changed. */
export const memberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/access/members',
    operationId: 'listMembers',
    field: 'members',
    selection: graphql`{ members { ...Member } nextPageToken }`,
    errors: LIST_ERRORS,
  }),
  route({
    method: 'PATCH',
    path: '/v1/access/members/{userId}',
    operationId: 'changeMemberRole',
    field: 'changeMemberRole',
    key: 'member',
    selection: graphql`{ ...Member }`,
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  }),
  route({
    method: 'DELETE',
    path: '/v1/access/members/{userId}',
    operationId: 'removeMember',
    field: 'removeMember',
    key: 'member',
    selection: graphql`{ ...Member }`,
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  }),
  route({
    method: 'GET',
    path: '/v1/access/invitations',
    operationId: 'listInvitations',
    field: 'invitations',
    selection: graphql`{ invitations { ...Invitation } nextPageToken }`,
    errors: LIST_ERRORS,
  }),
  route({
    method: 'POST',
    path: '/v1/access/invitations',
    operationId: 'inviteMember',
    field: 'inviteMember',
    selection: graphql`{ invitation { ...Invitation } link }`,
    errors: ['CONSOLE_OFF'],
  }),
  route({
    method: 'DELETE',
    path: '/v1/access/invitations/{invitationId}',
    operationId: 'revokeInvitation',
    field: 'revokeInvitation',
    key: 'invitation',
    selection: graphql`{ ...Invitation }`,
    errors: ['INVITATION_NOT_FOUND'],
  }),
  route({
    method: 'GET',
    path: '/v1/access/auditLog',
    operationId: 'listAuditLog',
    field: 'auditLog',
    selection: graphql`{ actions { ...LoggedAction } nextPageToken }`,
    errors: LIST_ERRORS,
  }),
]
