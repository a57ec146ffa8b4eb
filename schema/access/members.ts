import {
  listOperators,
  listOrganizationMembers,
  listOwnMembers,
  MEMBER_FILTER_KEYS,
  type MemberPage,
  memberQuery,
  operatorQuery,
  organizationMemberQuery,
} from '../../domain/access/memberList.ts'
import type { ListedMember } from '../../domain/access/members.ts'
import { arg } from '../arg.ts'
import { checkedByQuery } from '../argumentChecks.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { pageCost } from '../fieldCost.ts'
import { listArguments, listParams } from '../listArguments.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'
import { MemberRoleRef } from './role.ts'

export const MemberRef = builder.objectRef<ListedMember>('Member').implement({
  description: 'A person who signs in to the console.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'The id of the person.' }),
    email: t.exposeString('email', { description: 'The email address, in lower case.' }),
    name: t.exposeString('name', { description: 'The name that the person gave.' }),
    role: t.expose('role', {
      type: MemberRoleRef,
      nullable: true,
      description: 'The role in the organization. Null in the list of operators.',
    }),
    isOperator: t.exposeBoolean('isOperator', {
      description: 'Whether the person may also do what an operator may.',
    }),
    hasSecondFactor: t.exposeBoolean('hasSecondFactor', {
      description: 'Whether signing in takes a code besides the password.',
    }),
    joinedAt: t.expose('joinedAt', {
      type: 'DateTime',
      description:
        'The time at which the person became a member. Of operators: at which the account was created.',
    }),
  }),
})

const MemberPageRef = pageRef<MemberPage>('MemberPage', {
  description: 'A page of members, by email address.',
  fields: (t) => ({
    members: t.expose('members', { type: [MemberRef], description: 'The members.' }),
  }),
})

listField('members', {
  type: MemberPageRef,
  reads: 'index',
  description: 'The members of your organization, by email address.',
  query: memberQuery,
  list: listOwnMembers,
})

queryField('organizationMembers', {
  type: MemberPageRef,
  complexity: pageCost('index'),
  description: 'The members of any organization, by email address. For operators.',
  args: {
    organizationId: arg.string({ required: true, description: 'The `id` of the organization.' }),
    ...listArguments(MEMBER_FILTER_KEYS),
  },
  extensions: checkedByQuery(organizationMemberQuery),
  resolve: (_, { organizationId, ...list }, context) =>
    listOrganizationMembers(context, { ...listParams(list), organizationId }),
})

listField('operators', {
  type: MemberPageRef,
  reads: 'index',
  description: 'The operators of the service, by email address. For operators.',
  query: operatorQuery,
  list: listOperators,
})
