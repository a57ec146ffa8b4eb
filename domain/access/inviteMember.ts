import type { SharedContext } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import { callerAdministrator } from './callerAdministrator.ts'
import { invitationLink, invite } from './invitations.ts'
import { invitationColumns, type ListedInvitation } from './listedInvitation.ts'
import type { Role } from './role.ts'

/** `link` is shown now, and never again. */
export type CreatedInvitation = { invitation: ListedInvitation; link: string }

/**
 * Invites a person into the caller's organization. Throws `INVALID_FIELD`, or `CONSOLE_OFF` where nobody could accept
 * the invitation.
 */
export async function inviteMember(
  context: Pick<SharedContext, 'sql' | 'caller' | 'consoleOrigin'>,
  { email, role }: { email: string; role: Role },
): Promise<CreatedInvitation> {
  const { administrator, organizationId } = callerAdministrator(context, 'members')
  const { sql, consoleOrigin } = context
  if (consoleOrigin === null)
    throw new ServiceError('CONSOLE_OFF', 'This service has no console: nobody can sign in.')
  const membership = { organizationId, role }
  const { id, token } = await invite(administrator, { email, membership })
  const [invitation] = await sql<ListedInvitation[]>`
    select ${invitationColumns(sql)} from app.console_invitation i where i.id = ${id}`
  if (!invitation) throw new Error('Invariant(inviteMember): a new invitation is gone')
  return { invitation, link: invitationLink(consoleOrigin, token) }
}
