import type { TransactionSql } from 'postgres'
import { isOpenInvitation } from './listedInvitation.ts'

/** The person whose membership ends or changes. */
type Person = { organizationId: string; userId: string; email: string }

/** Ends the open invitations that a person made for an organization; returns their ids. */
export async function endInvitationsBy(
  sql: TransactionSql,
  { organizationId, userId }: Omit<Person, 'email'>,
): Promise<string[]> {
  const ended = await sql<{ id: string }[]>`
    update app.console_invitation i set revoked_at = now()
    where i.organization_id = ${organizationId} and i.invited_by = ${`member:${userId}`}
      and ${isOpenInvitation(sql)}
    returning i.id`
  return ended.map(({ id }) => id)
}

/** The same, with the invitations of the person: an older one would let them in again. */
export async function endInvitationsByAndFor(
  sql: TransactionSql,
  person: Person,
): Promise<string[]> {
  const { organizationId, email } = person
  const own = await sql<{ id: string }[]>`
    update app.console_invitation i set revoked_at = now()
    where i.organization_id = ${organizationId} and i.email = ${email}
      and ${isOpenInvitation(sql)}
    returning i.id`
  return [...own.map(({ id }) => id), ...(await endInvitationsBy(sql, person))]
}
