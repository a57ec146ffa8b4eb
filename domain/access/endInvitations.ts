import type { Fragment, TransactionSql } from 'postgres'
import { isOpenInvitation } from './listedInvitation.ts'
import { mayInvite, ROLES } from './role.ts'

/** The person whose membership ends or changes. */
type Person = { organizationId: string; userId: string; email: string }

/** Ends the open invitations `i` that match; returns their ids. */
async function endOpen(sql: TransactionSql, which: Fragment): Promise<string[]> {
  const ended = await sql<{ id: string }[]>`
    update app.console_invitation i set revoked_at = now()
    where ${which} and ${isOpenInvitation(sql)}
    returning i.id`
  return ended.map(({ id }) => id)
}

/** Ends the open invitations that a person made for an organization; returns their ids. */
export function endInvitationsBy(
  sql: TransactionSql,
  { organizationId, userId }: Omit<Person, 'email'>,
): Promise<string[]> {
  return endOpen(
    sql,
    sql`i.organization_id = ${organizationId} and i.invited_by = ${`member:${userId}`}`,
  )
}

/** The same, with the invitations of the person: an older one would let them in again. */
export async function endInvitationsByAndFor(
  sql: TransactionSql,
  person: Person,
): Promise<string[]> {
  const { organizationId, email } = person
  const own = await endOpen(sql, sql`i.organization_id = ${organizationId} and i.email = ${email}`)
  return [...own, ...(await endInvitationsBy(sql, person))]
}

/** Ends the open invitations that would make a person an operator; returns their ids. */
export function endOperatorInvitationsFor(sql: TransactionSql, email: string): Promise<string[]> {
  return endOpen(sql, sql`i.email = ${email} and i.is_operator`)
}

/** Ends the open invitations that only an operator could have made; returns their ids. */
export function endInvitationsByOperator(sql: TransactionSql, userId: string): Promise<string[]> {
  const inviters = ROLES.filter((role) => mayInvite(role, false))
  return endOpen(
    sql,
    sql`i.invited_by = ${`member:${userId}`} and not exists (
      select 1 from app.organization_member m
      where m.organization_id = i.organization_id and m.user_id = ${userId}
        and m.role = any(${inviters}))`,
  )
}
