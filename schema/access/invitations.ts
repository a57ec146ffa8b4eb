import { callerAdministrator } from '../../domain/access/callerAdministrator.ts'
import {
  type InvitationPage,
  invitationQuery,
  listInvitations,
} from '../../domain/access/invitationList.ts'
import { revokeInvitation } from '../../domain/access/invitations.ts'
import { type CreatedInvitation, inviteMember } from '../../domain/access/inviteMember.ts'
import type { ListedInvitation } from '../../domain/access/listedInvitation.ts'
import { required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { mutationField } from '../declareRootField.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { MemberRoleRef } from './role.ts'

const InvitationStatusRef = builder.enumType('InvitationStatus', {
  description: 'The state of an invitation.',
  values: {
    OPEN: { value: 'open', description: 'The link can be used.' },
    ACCEPTED: { value: 'accepted', description: 'The person became a member.' },
    REVOKED: { value: 'revoked', description: 'A member revoked it.' },
    EXPIRED: { value: 'expired', description: 'Nobody used the link in time.' },
  } as const,
})

const InvitationRef = builder.objectRef<ListedInvitation>('Invitation').implement({
  description: 'An invitation of a person into an organization.',
  fields: fieldsOf(() => ({
    id: nonNull.string('The id of the invitation.'),
    email: nonNull.string('The email address, in lower case.'),
    role: nonNull.of(MemberRoleRef, 'The role that the person gets in the organization.'),
    isOperator: nonNull.boolean('Whether the person also becomes an operator of the service.'),
    status: nonNull.of(InvitationStatusRef, 'The state of the invitation.'),
    invitedBy: nonNull.string('The actor: `member:<userId>`, `key:<public id>`, or `operator`.'),
    createdAt: nonNull.dateTime('The time of the invitation.'),
    expiresAt: nonNull.dateTime('The time at which the link ends.'),
    acceptedAt: nullable.dateTime('The time at which the person became a member. Null before.'),
    revokedAt: nullable.dateTime('The time at which it was revoked. Null where it was not.'),
  })),
})

const InvitationPageRef = pageRef<InvitationPage>('InvitationPage', {
  description: 'A page of invitations, the newest first.',
  fields: { invitations: nonNull.of([InvitationRef], 'The invitations.') },
})

const CreatedInvitationRef = builder.objectRef<CreatedInvitation>('CreatedInvitation').implement({
  description: 'A new invitation and its link.',
  fields: fieldsOf(() => ({
    invitation: nonNull.of(InvitationRef, 'The invitation.'),
    link: nonNull.string(
      'The link by which the person becomes a member. It works once, for seven days, and is not shown again: send it to that person only.',
    ),
  })),
})

listField('invitations', {
  type: InvitationPageRef,
  reads: 'index',
  description: 'The invitations of your organization, the newest first.',
  query: invitationQuery,
  list: listInvitations,
})

mutationField('inviteMember', {
  type: CreatedInvitationRef,
  description: 'Invites a person into your organization. The link is in this answer only.',
  args: {
    email: required.string('The email address of the person, who signs in with it.'),
    role: required.of(MemberRoleRef, 'The role in the organization.'),
  },
  resolve: (_, params, context) => inviteMember(context, params),
})

mutationField('revokeInvitation', {
  type: InvitationRef,
  description: 'Ends the link of an open invitation of your organization.',
  args: { invitationId: required.string('The `id` of the invitation.') },
  resolve: (_, { invitationId }, context) => {
    const { administrator, organizationId } = callerAdministrator(context, 'members')
    return revokeInvitation(administrator, { organizationId, invitationId })
  },
})
