import {
  listOperators,
  listOrganizationMembers,
  listOwnMembers,
  type MemberPage,
  memberQuery,
  operatorQuery,
  organizationMemberQuery,
} from '../../domain/access/memberList.ts'
import type { ListedMember } from '../../domain/access/members.ts'
import { required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listArguments } from '../listArguments.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { MemberRoleRef } from './role.ts'

export const MemberRef = builder.objectRef<ListedMember>('Member').implement({
  description: 'A person who signs in to the console.',
  fields: fieldsOf(() => ({
    userId: nonNull.string('The id of the person.'),
    email: nonNull.string('The email address, in lower case.'),
    name: nonNull.string('The name that the person gave.'),
    role: nullable.of(
      MemberRoleRef,
      'The role in the organization. Null in the list of operators.',
    ),
    isOperator: nonNull.boolean('Whether the person may also do what an operator may.'),
    hasSecondFactor: nonNull.boolean('Whether signing in takes a code besides the password.'),
    joinedAt: nonNull.dateTime(
      'The time at which the person became a member. Of operators: at which the account was created.',
    ),
  })),
})

const MemberPageRef = pageRef<MemberPage>('MemberPage', {
  description: 'A page of members, by email address.',
  fields: { members: nonNull.of([MemberRef], 'The members.') },
})

listField('members', {
  type: MemberPageRef,
  reads: 'index',
  description: 'The members of your organization, by email address.',
  query: memberQuery,
  list: listOwnMembers,
})

listField('organizationMembers', {
  type: MemberPageRef,
  reads: 'index',
  description: 'The members of any organization, by email address. For operators.',
  args: {
    organizationId: required.string('The `id` of the organization.'),
    ...listArguments(organizationMemberQuery.keys),
  },
  query: organizationMemberQuery,
  list: listOrganizationMembers,
})

listField('operators', {
  type: MemberPageRef,
  reads: 'index',
  description: 'The operators of the service, by email address. For operators.',
  query: operatorQuery,
  list: listOperators,
})
