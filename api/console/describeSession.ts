import type { Sql } from 'postgres'
import { grantOf, type Role } from '../../domain/access/role.ts'
import type { Console } from './createConsole.ts'
import type { ConsoleSession } from './sessionOf.ts'

type MemberRow = {
  id: string
  email: string
  name: string
  isOperator: boolean
  hasSecondFactor: boolean
  hasPassword: boolean
  organizations: { id: string; name: string; role: Role | null }[]
}

/**
 * The answer of `GET /console/api/session`: how one can sign in here, and who is signed in. Only an operator learns what is
 * doubtful in the configuration.
 */
export async function describeSession(
  sql: Sql,
  { hasOidc, hasLocalSignIn, doubts }: Pick<Console, 'hasOidc' | 'hasLocalSignIn' | 'doubts'>,
  session: ConsoleSession | null,
) {
  const signIn = { password: true, oidc: hasOidc, local: hasLocalSignIn }
  if (!session) return { signIn, member: null }
  const { userId, authenticatedAt, expiresAt } = session
  const [member] = await sql<MemberRow[]>`
    select u.id, u.email, u.name, u.is_operator as "isOperator",
      u.two_factor_enabled as "hasSecondFactor",
      exists (select 1 from app.console_credential c
        where c.user_id = u.id and c.provider_id = 'credential') as "hasPassword",
      coalesce((
        select json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) order by o.name)
        from app.organization o
        left join app.organization_member m on m.organization_id = o.id and m.user_id = u.id
        where m.role is not null or u.is_operator
      ), '[]') as organizations
    from app.console_user u where u.id = ${userId}`
  if (!member) return { signIn, member: null }
  const organizations = member.organizations.map((one) => ({
    ...one,
    changes: grantOf(one.role, member.isOperator).changes,
  }))
  return {
    signIn,
    member: {
      ...member,
      organizations,
      authenticatedAt,
      sessionExpiresAt: expiresAt,
      doubts: member.isOperator ? doubts : [],
    },
  }
}
