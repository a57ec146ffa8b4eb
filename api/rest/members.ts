import { graphql, type Route, route } from './route.ts'

/** The members of an organization, their invitations, and what was changed. */
export const memberRoutes: readonly Route[] = [
  route({
    path: '/v1/access/members',
    operationId: 'listMembers',
    field: 'members',
    selection: graphql`{ members { ...Member } nextPageToken }`,
  }),
  route({
    method: 'PATCH',
    path: '/v1/access/members/{userId}',
    field: 'changeMemberRole',
    key: 'member',
    selection: graphql`{ ...Member }`,
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  }),
  route({
    method: 'DELETE',
    path: '/v1/access/members/{userId}',
    field: 'removeMember',
    key: 'member',
    selection: graphql`{ ...Member }`,
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  }),
  route({
    path: '/v1/access/invitations',
    operationId: 'listInvitations',
    field: 'invitations',
    selection: graphql`{ invitations { ...Invitation } nextPageToken }`,
  }),
  route({
    path: '/v1/access/invitations',
    field: 'inviteMember',
    selection: graphql`{ invitation { ...Invitation } link }`,
    errors: ['CONSOLE_OFF'],
  }),
  route({
    method: 'DELETE',
    path: '/v1/access/invitations/{invitationId}',
    field: 'revokeInvitation',
    key: 'invitation',
    selection: graphql`{ ...Invitation }`,
    errors: ['INVITATION_NOT_FOUND'],
  }),
  route({
    path: '/v1/access/auditLog',
    operationId: 'listAuditLog',
    field: 'auditLog',
    selection: graphql`{ actions { ...LoggedAction } nextPageToken }`,
  }),
]
