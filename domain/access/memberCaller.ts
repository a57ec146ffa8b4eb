import type { Sql } from 'postgres'
import { ServiceError } from '../error/serviceError.ts'
import type { Caller } from './caller.ts'
import { isUuid } from './isUuid.ts'
import { grantOf, type Role } from './role.ts'

/** The member of a session that was checked. */
export type SignedIn = { userId: string; authenticatedAt: Date }

type MemberRow = Pick<
  Caller,
  'organizationId' | 'rateLimitTier' | 'defaultDistributorCode' | 'slippageBps' | 'settleOnSubmit'
> & { role: Role | null; isOperator: boolean; lacksFactor: boolean }

/**
 * The caller that a member is for an organization. Throws `ORGANIZATION_NOT_FOUND`, also for an organization of which
 * they are no member, and `SECOND_FACTOR_NEEDED`.
 */
export async function memberCaller(
  sql: Sql,
  { userId, authenticatedAt }: SignedIn,
  organizationId: string,
): Promise<Caller> {
  const [found] = isUuid(organizationId)
    ? await sql<MemberRow[]>`
        select o.id as "organizationId", o.rate_limit_tier as "rateLimitTier",
          o.default_distributor_code as "defaultDistributorCode",
          o.slippage_bps as "slippageBps", o.settle_on_submit as "settleOnSubmit",
          m.role, u.is_operator as "isOperator",
          o.requires_second_factor and not u.two_factor_enabled as "lacksFactor"
        from app.organization o
        join app.console_user u on u.id = ${userId}
        left join app.organization_member m on m.organization_id = o.id and m.user_id = u.id
        where o.id = ${organizationId} and (m.role is not null or u.is_operator)`
    : []
  if (!found)
    throw new ServiceError('ORGANIZATION_NOT_FOUND', 'You are no member of this organization.')
  const { role, isOperator, lacksFactor, ...organization } = found
  if (lacksFactor)
    throw new ServiceError(
      'SECOND_FACTOR_NEEDED',
      'This organization requires a second factor: set one up on the page of your account.',
    )
  return {
    ...organization,
    ...grantOf(role, isOperator),
    actor: `member:${userId}`,
    member: { userId, authenticatedAt },
  }
}
