import type { TransactionSql } from 'postgres'
import { ServiceError } from '../error/serviceError.ts'
import { type Administrator, audited } from './audit.ts'
import {
  endInvitationsBy,
  endInvitationsByAndFor,
  endInvitationsByOperator,
  endOperatorInvitationsFor,
} from './endInvitations.ts'
import { type ListedMember, listMembers } from './members.ts'
import { mayInvite, type Role } from './role.ts'

/** A member of an organization. */
export type MemberPlace = { organizationId: string; userId: string }

/**
 * Gives a member another role, at once. Their open invitations end if they may make none any more. Throws `MEMBER_NOT_FOUND`
 * or `LAST_OWNER`.
 */
export function changeMemberRole(
  administrator: Administrator,
  { role, ...place }: MemberPlace & { role: Role },
): Promise<ListedMember> {
  return audited(administrator, async (transaction) => {
    const member = await lockMember(transaction, place)
    if (member.role === role) return { result: member, entry: null }
    await refuseLastOwner(transaction, place, member)
    const { organizationId, userId } = place
    await transaction`
      update app.organization_member set role = ${role}
      where organization_id = ${organizationId} and user_id = ${userId}`
    const ended = mayInvite(role, member.isOperator)
      ? []
      : await endInvitationsBy(transaction, place)
    const details = { from: member.role, to: role, ...noted(ended) }
    return {
      result: { ...member, role },
      entry: { action: 'member.change_role', subject: userId, organizationId, details },
    }
  })
}

/**
 * Ends a membership: the next request of the member is refused. Open invitations by and for the member end too. The
 * account stays. Throws `MEMBER_NOT_FOUND` or `LAST_OWNER`.
 */
export function removeMember(
  administrator: Administrator,
  place: MemberPlace,
): Promise<ListedMember> {
  return audited(administrator, async (transaction) => {
    const member = await lockMember(transaction, place)
    await refuseLastOwner(transaction, place, member)
    const { organizationId, userId } = place
    // First: an acceptance that is under way holds its invitation, and waits for no member.
    const ended = await endInvitationsByAndFor(transaction, { ...place, email: member.email })
    await transaction`
      delete from app.organization_member
      where organization_id = ${organizationId} and user_id = ${userId}`
    const details = { role: member.role, ...noted(ended) }
    return {
      result: member,
      entry: { action: 'member.remove', subject: userId, organizationId, details },
    }
  })
}

/**
 * Makes an operator an ordinary person: their next request as one is refused. Open invitations end too: those that would
 * make them an operator again, and those that they may not make any more. Memberships and the account stay. Throws
 * `MEMBER_NOT_FOUND` for somebody who is no operator.
 */
export function removeOperator(
  administrator: Administrator,
  userId: string,
): Promise<ListedMember> {
  return audited(administrator, async (transaction) => {
    const operators = await listMembers(transaction, null)
    const operator = operators.find((one) => one.userId === userId)
    if (!operator) throw noOperator()
    // First, as above: an acceptance holds its invitation, and then waits for the row of the person.
    const endedFor = await endOperatorInvitationsFor(transaction, operator.email)
    const { count } = await transaction`
      update app.console_user set is_operator = false where id = ${userId} and is_operator`
    if (count === 0) throw noOperator()
    // Last: an invitation that they make at this moment holds their row.
    const endedBy = await endInvitationsByOperator(transaction, userId)
    const details = { isOperator: true, ...noted([...endedFor, ...endedBy]) }
    return {
      result: { ...operator, isOperator: false },
      entry: { action: 'member.remove', subject: userId, organizationId: null, details },
    }
  })
}

function noOperator(): ServiceError {
  return new ServiceError('MEMBER_NOT_FOUND', 'There is no operator of this id.')
}

/** The part of an audit entry about the invitations that ended with a change. */
function noted(endedInvitations: string[]) {
  return endedInvitations.length > 0 ? { endedInvitations } : {}
}

/** Locks the organization: of two owners who remove each other at once, one stays. */
async function lockMember(
  sql: TransactionSql,
  { organizationId, userId }: MemberPlace,
): Promise<ListedMember> {
  await sql`select 1 from app.organization where id = ${organizationId} for no key update`
  const members = await listMembers(sql, organizationId)
  const member = members.find((one) => one.userId === userId)
  if (!member)
    throw new ServiceError('MEMBER_NOT_FOUND', 'The organization has no member of this id.')
  return member
}

async function refuseLastOwner(
  sql: TransactionSql,
  { organizationId, userId }: MemberPlace,
  { role }: ListedMember,
) {
  if (role !== 'owner') return
  const [other] = await sql`
    select 1 from app.organization_member
    where organization_id = ${organizationId} and role = 'owner' and user_id <> ${userId} limit 1`
  if (!other)
    throw new ServiceError(
      'LAST_OWNER',
      'This is the only owner of the organization: make another member an owner first.',
    )
}
