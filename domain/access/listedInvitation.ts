import type { ISql } from 'postgres'
import type { Role } from './role.ts'

/** An invitation as the members of its organization see it. */
export type ListedInvitation = {
  id: string
  email: string
  role: Role
  /** Whether it also makes an operator. */
  isOperator: boolean
  status: 'open' | 'accepted' | 'revoked' | 'expired'
  /** The actor, as the audit log names it. */
  invitedBy: string
  createdAt: Date
  expiresAt: Date
  acceptedAt: Date | null
  revokedAt: Date | null
}

/** An invitation of an operator into no organization. */
export type OperatorInvitation = Omit<ListedInvitation, 'role'> & { role: null }

/** The state of an invitation `i`. */
const invitationStatus = (sql: ISql) => sql`
  case when i.accepted_at is not null then 'accepted' when i.revoked_at is not null then 'revoked'
    when i.expires_at <= now() then 'expired' else 'open' end`

/** The columns of `ListedInvitation`, of `app.console_invitation i`. */
export const invitationColumns = (sql: ISql) => sql`
  i.id, i.email, i.role, i.is_operator as "isOperator", ${invitationStatus(sql)} as status,
  case when i.invited_by ~ '^(member|key):' then i.invited_by else 'operator' end as "invitedBy",
  i.created_at as "createdAt", i.expires_at as "expiresAt", i.accepted_at as "acceptedAt",
  i.revoked_at as "revokedAt"`

/** Whether the link of an invitation `i` works. */
export const isOpenInvitation = (sql: ISql) => sql`
  i.accepted_at is null and i.revoked_at is null and i.expires_at > now()`
