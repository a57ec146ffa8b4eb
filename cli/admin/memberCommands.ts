import { type Command, Option } from 'commander'
import type { ISql } from 'postgres'
import { AccessError } from '../../domain/access/accessError.ts'
import {
  invitationLink,
  invite,
  listOpenInvitations,
  revokeInvitation,
  revokeOperatorInvitation,
} from '../../domain/access/invitations.ts'
import {
  changeMemberRole,
  type MemberPlace,
  removeMember,
  removeOperator,
} from '../../domain/access/manageMembers.ts'
import { type ListedMember, listMembers } from '../../domain/access/members.ts'
import { getOrganization } from '../../domain/access/organizations.ts'
import { ROLES, type Role } from '../../domain/access/role.ts'
import { listed, type Run } from './command.ts'

type InviteOptions = { organization?: string; role?: Role; operator?: boolean }

type OfOrganization = { organization: string }
type RemoveOptions = Partial<OfOrganization> & { operator?: boolean }

/** `members invite|list|set-role|remove|invitations|revoke-invitation` */
export function addMemberCommands(program: Command, run: Run, env: NodeJS.ProcessEnv): void {
  const members = program.command('members').description('people who sign in to the console')
  members
    .command('invite <email>')
    .description(
      'print the link by which a person becomes a member, an operator, or both; it works once',
    )
    .option('--organization <name|id>', 'the organization that they become a member of')
    .addOption(roleOption())
    .option('--operator', 'make them an operator, who may do what these commands do')
    .action((email: string, { organization, role, operator = false }: InviteOptions) =>
      run(async (administrator) => {
        if ((organization === undefined) !== (role === undefined))
          throw new AccessError('Give --organization and --role together')
        if (organization === undefined && !operator)
          throw new AccessError('Give --organization and --role, or --operator')
        const membership =
          organization !== undefined && role !== undefined
            ? {
                organizationId: (await getOrganization(administrator.sql, organization)).id,
                role,
              }
            : null
        const { token, ...invited } = await invite(administrator, {
          email,
          membership,
          isOperator: operator,
        })
        const link = invitationLink(env.CONSOLE_ORIGIN || '<CONSOLE_ORIGIN>', token)
        const until = invited.expiresAt.toISOString()
        return {
          json: { ...invited, link },
          text: `${link}\nSend it to ${invited.email} only. It works once, until ${until}, and is not shown again.`,
        }
      }),
    )
  members
    .command('list')
    .description('list the members of an organization, or the operators')
    .option('--organization <name|id>', 'the organization; without it, the operators')
    .action(({ organization }: { organization?: string }) =>
      run(async ({ sql }) => {
        const id = organization ? (await getOrganization(sql, organization)).id : null
        return listed(await listMembers(sql, id), 'There are none yet')
      }),
    )
  members
    .command('set-role <email|id>')
    .description('give a member another role, at once; the only owner stays')
    .requiredOption('--organization <name|id>', 'the organization')
    .addOption(roleOption().makeOptionMandatory())
    .action((member: string, { organization, role }: OfOrganization & { role: Role }) =>
      run(async (administrator) => {
        const place = await placeOf(administrator.sql, organization, member)
        const changed = await changeMemberRole(administrator, { ...place, role })
        return { json: changed, text: `${changed.email} is ${changed.role} now` }
      }),
    )
  members
    .command('remove <email|id>')
    .description('end a membership, or what an operator may do, at once; the account stays')
    .option('--organization <name|id>', 'the organization whose member they are no more')
    .option('--operator', 'end what they may do as an operator')
    .action((member: string, { organization, operator = false }: RemoveOptions) =>
      run(async (administrator) => {
        if ((organization !== undefined) === operator)
          throw new AccessError('Give either --organization or --operator')
        if (organization === undefined) {
          const userId = userIdOf(await listMembers(administrator.sql, null), member)
          const ended = await removeOperator(administrator, userId)
          return { json: ended, text: `${ended.email} is no operator any more` }
        }
        const place = await placeOf(administrator.sql, organization, member)
        const removed = await removeMember(administrator, place)
        return { json: removed, text: `${removed.email} is no member of ${organization} any more` }
      }),
    )
  members
    .command('invitations')
    .description('list the open invitations of an organization, or of operators')
    .option('--organization <name|id>', 'the organization; without it, the operators')
    .action(({ organization }: Partial<OfOrganization>) =>
      run(async ({ sql }) => {
        const id = organization ? (await getOrganization(sql, organization)).id : null
        return listed(await listOpenInvitations(sql, id), 'No invitation is open')
      }),
    )
  members
    .command('revoke-invitation <invitationId>')
    .description('end the link of an open invitation')
    .option('--organization <name|id>', 'the organization; without it, the operators')
    .action((invitationId: string, { organization }: Partial<OfOrganization>) =>
      run(async (administrator) => {
        const revoked = organization
          ? await revokeInvitation(administrator, {
              organizationId: (await getOrganization(administrator.sql, organization)).id,
              invitationId,
            })
          : await revokeOperatorInvitation(administrator, invitationId)
        return { json: revoked, text: `Revoked the invitation of ${revoked.email}` }
      }),
    )
}

function roleOption(): Option {
  return new Option('--role <role>', 'the role in the organization').choices(ROLES)
}

async function placeOf(sql: ISql, organization: string, member: string): Promise<MemberPlace> {
  const { id } = await getOrganization(sql, organization)
  return { organizationId: id, userId: userIdOf(await listMembers(sql, id), member) }
}

/** The id of an email address or id. One that is unknown stays, and is refused by the change. */
function userIdOf(members: ListedMember[], member: string): string {
  return members.find(({ email }) => email === member.toLowerCase())?.userId ?? member
}
