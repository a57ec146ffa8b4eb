import { callerAdministrator } from '../../domain/access/callerAdministrator.ts'
import { changeMemberRole, removeMember } from '../../domain/access/manageMembers.ts'
import { required } from '../arguments.ts'
import { mutationField } from '../declareRootField.ts'
import { MemberRef } from './members.ts'
import { MemberRoleRef } from './role.ts'

const userIdArgument = () => ({
  userId: required.string('The `userId` of the member.'),
})

mutationField('changeMemberRole', {
  type: MemberRef,
  description:
    'Gives a member of your organization another role, at once. The only owner cannot get another.',
  args: {
    ...userIdArgument(),
    role: required.of(MemberRoleRef, 'The new role.'),
  },
  resolve: (_, { userId, role }, context) => {
    const { administrator, organizationId } = callerAdministrator(context, 'members')
    return changeMemberRole(administrator, { organizationId, userId, role })
  },
})

mutationField('removeMember', {
  type: MemberRef,
  description:
    'Removes a member from your organization, at once. The only owner cannot be removed. The account of the person stays. The answer is the removed member.',
  args: userIdArgument(),
  resolve: (_, { userId }, context) => {
    const { administrator, organizationId } = callerAdministrator(context, 'members')
    return removeMember(administrator, { organizationId, userId })
  },
})
