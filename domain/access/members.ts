import type { ISql } from 'postgres'
import type { Role } from './role.ts'

export type ListedMember = {
  userId: string
  email: string
  name: string
  /** Null for an operator in the list of operators. */
  role: Role | null
  isOperator: boolean
  hasSecondFactor: boolean
  /** The time at which the person became a member; of operators, at which the account was created. */
  joinedAt: Date
}

/** The members of an organization, or with null the operators; by email address. */
export function listMembers(sql: ISql, organizationId: string | null): Promise<ListedMember[]> {
  return sql<ListedMember[]>`
    select u.id as "userId", u.email, u.name, m.role, u.is_operator as "isOperator",
      u.two_factor_enabled as "hasSecondFactor", coalesce(m.created_at, u.created_at) as "joinedAt"
    from app.console_user u
    left join app.organization_member m
      on m.user_id = u.id and m.organization_id = ${organizationId}::uuid
    where case when ${organizationId}::uuid is null then u.is_operator else m.role is not null end
    order by u.email`
}
