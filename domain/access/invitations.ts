import { createHash, randomBytes } from 'node:crypto'
import type { Fragment, ISql, Sql, TransactionSql } from 'postgres'
import { invalidFields, ServiceError } from '../error/serviceError.ts'
import { type Administrator, audited } from './audit.ts'
import { isEmailAddress } from './emailAddress.ts'
import { isUuid } from './isUuid.ts'
import {
  invitationColumns,
  isOpenInvitation,
  type ListedInvitation,
  type OperatorInvitation,
} from './listedInvitation.ts'
import { mayInvite, type Role } from './role.ts'

const LASTS_DAYS = 7

export type InviteParams = {
  email: string
  /** The organization and the role in it; null for an operator who is a member of none. */
  membership: { organizationId: string; role: Role } | null
  isOperator?: boolean
}

/** `token` is for the link; it is stored nowhere. */
export type Invited = { id: string; token: string; email: string; expiresAt: Date }

/** An invitation that may be accepted. */
export type OpenInvitation = {
  id: string
  email: string
  organizationId: string | null
  organization: string | null
  role: Role | null
  isOperator: boolean
  expiresAt: Date
}

/**
 * Makes the token of a link that works once, for seven days. Throws `INVALID_FIELD` for a malformed address and for that
 * of a member, and `PERMISSION_DENIED`.
 */
export async function invite(
  administrator: Administrator,
  { email, membership, isOperator = false }: InviteParams,
): Promise<Invited> {
  if (!isEmailAddress(email)) throw refusedEmail('expected an email address, as in ada@example.org')
  const token = randomBytes(32).toString('base64url')
  return audited(administrator, async (transaction) => {
    if (membership) await requireInviter(transaction, administrator, membership.organizationId)
    // Accepting would not change the role.
    const [member] = await transaction`
      select 1 from app.organization_member m join app.console_user u on u.id = m.user_id
      where m.organization_id = ${membership?.organizationId ?? null}
        and u.email = ${email.toLowerCase()}`
    if (member) throw refusedEmail('this person is a member already: change the role instead')
    const [made] = await transaction<{ id: string; expiresAt: Date }[]>`
      insert into app.console_invitation
        (organization_id, email, role, is_operator, token_hash, invited_by, expires_at)
      values (${membership?.organizationId ?? null}, ${email.toLowerCase()},
        ${membership?.role ?? null}, ${isOperator}, ${hashOf(token)}, ${administrator.actor},
        now() + make_interval(days => ${LASTS_DAYS}))
      returning id, expires_at as "expiresAt"`
    if (!made) throw new Error('Invariant(invitations): nothing was inserted')
    const details = { invitationId: made.id, ...membership, isOperator }
    return {
      result: { ...made, token, email: email.toLowerCase() },
      entry: {
        action: 'member.invite',
        subject: membership?.organizationId ?? 'operators',
        organizationId: membership?.organizationId ?? null,
        details,
      },
    }
  })
}

/** Throws `PERMISSION_DENIED` for a person who may invite no more: what they may do changed since the request was let in. */
async function requireInviter(
  sql: TransactionSql,
  { actor }: Administrator,
  organizationId: string,
): Promise<void> {
  // Waits for a change of members that is under way: it ends the invitations that it sees.
  await sql`select 1 from app.organization where id = ${organizationId} for share`
  const [, userId] = /^member:(.*)$/.exec(actor) ?? []
  if (userId === undefined) return
  // For the same reason: the end of an operator changes their row, and locks no organization.
  const [inviter] = await sql<{ role: Role | null; isOperator: boolean }[]>`
    select m.role, u.is_operator as "isOperator" from app.console_user u
    left join app.organization_member m
      on m.user_id = u.id and m.organization_id = ${organizationId}
    where u.id = ${userId} for share of u`
  if (inviter && mayInvite(inviter.role, inviter.isOperator)) return
  throw new ServiceError('PERMISSION_DENIED', 'You may not invite people any more.')
}

function refusedEmail(description: string): ServiceError {
  return invalidFields([{ field: 'email', description }])
}

/** An open invitation of an organization. */
export type InvitationPlace = { organizationId: string; invitationId: string }

/** Ends the link of an open invitation. Throws `INVITATION_NOT_FOUND`. */
export function revokeInvitation(
  administrator: Administrator,
  place: InvitationPlace,
): Promise<ListedInvitation> {
  return revoke(administrator, place)
}

/** The same of an operator who is invited into no organization. */
export function revokeOperatorInvitation(
  administrator: Administrator,
  invitationId: string,
): Promise<OperatorInvitation> {
  return revoke(administrator, { organizationId: null, invitationId })
}

function revoke<Row extends ListedInvitation | OperatorInvitation>(
  administrator: Administrator,
  { organizationId, invitationId }: { organizationId: string | null; invitationId: string },
): Promise<Row> {
  return audited(administrator, async (transaction) => {
    const [revoked] = isUuid(invitationId)
      ? await transaction<Row[]>`
          update app.console_invitation i set revoked_at = now()
          where i.id = ${invitationId}
            and i.organization_id is not distinct from ${organizationId} and ${isOpenInvitation(transaction)}
          returning ${invitationColumns(transaction)}`
      : []
    if (!revoked) throw noInvitation()
    return {
      result: revoked,
      entry: {
        action: 'member.revoke_invitation',
        subject: organizationId ?? 'operators',
        organizationId,
        details: { invitationId: revoked.id, role: revoked.role },
      },
    }
  })
}

/** The open invitations of an organization, or with null of operators; the newest first. */
export function listOpenInvitations(
  sql: ISql,
  organizationId: string | null,
): Promise<(ListedInvitation | OperatorInvitation)[]> {
  return sql<(ListedInvitation | OperatorInvitation)[]>`
    select ${invitationColumns(sql)} from app.console_invitation i
    where i.organization_id is not distinct from ${organizationId} and ${isOpenInvitation(sql)}
    order by i.created_at desc, i.id desc`
}

/** The invitation of a link. Throws `INVITATION_NOT_FOUND` for one that was used or revoked, or has expired. */
export function findInvitation(sql: ISql, token: string): Promise<OpenInvitation> {
  return selectInvitation(sql, token, sql``)
}

async function selectInvitation(sql: ISql, token: string, lock: Fragment): Promise<OpenInvitation> {
  const [found] = await sql<OpenInvitation[]>`
    select i.id, i.email, i.organization_id as "organizationId", o.name as organization, i.role,
      i.is_operator as "isOperator", i.expires_at as "expiresAt"
    from app.console_invitation i left join app.organization o on o.id = i.organization_id
    where i.token_hash = ${hashOf(token)} and ${isOpenInvitation(sql)} ${lock}`
  if (found) return found
  throw noInvitation()
}

function noInvitation(): ServiceError {
  return new ServiceError(
    'INVITATION_NOT_FOUND',
    'The invitation was used or revoked, or has expired. Ask for another.',
  )
}

export type AcceptParams = {
  token: string
  /** The person who is signed in; null for nobody. */
  userId: string | null
  /** Creates the account of somebody who has none, and returns its id; null if the address has one by now. */
  createAccount(transaction: ISql, email: string): Promise<string | null>
}

/**
 * Makes the person of an invitation a member. Throws `INVITATION_NOT_FOUND`, or `SIGN_IN_REFUSED` if the address has
 * an account that is not signed in: the link alone must not open it.
 */
export async function acceptInvitation(
  sql: Sql,
  { token, userId, createAccount }: AcceptParams,
): Promise<OpenInvitation> {
  return audited(
    { sql, actor: userId ? `member:${userId}` : 'invitation' },
    async (transaction) => {
      const lock = transaction`for update of i`
      const invitation = await selectInvitation(transaction, token, lock)
      const { id, email, organizationId, role, isOperator } = invitation
      const [account] = await transaction<{ id: string }[]>`
      select id from app.console_user where email = ${email}`
      const accepted = account ? account.id : await createAccount(transaction, email)
      if (accepted === null || (account && accepted !== userId))
        throw new ServiceError(
          'SIGN_IN_REFUSED',
          `Sign in as ${email} first, then open the link again.`,
        )
      await transaction`update app.console_invitation set accepted_at = now() where id = ${id}`
      if (isOperator)
        await transaction`update app.console_user set is_operator = true where id = ${accepted}`
      if (organizationId && role)
        await transaction`
        insert into app.organization_member (organization_id, user_id, role)
        values (${organizationId}, ${accepted}, ${role})
        on conflict (organization_id, user_id) do nothing`
      const details = { invitationId: id, userId: accepted, role, isOperator }
      return {
        result: invitation,
        entry: {
          action: 'member.join',
          subject: organizationId ?? 'operators',
          organizationId,
          details,
        },
      }
    },
  )
}

function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

/** The link of an invitation. A fragment is not sent to servers, so no log has the token. */
export function invitationLink(consoleOrigin: string, token: string): string {
  return `${consoleOrigin}/console/invitation#${token}`
}
