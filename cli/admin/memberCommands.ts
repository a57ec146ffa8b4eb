import { type Command, Option } from 'commander'
import { AccessError } from '../../domain/access/accessError.ts'
import { invitationLink } from '../../domain/access/invitationLink.ts'
import { invite } from '../../domain/access/invitations.ts'
import { listMembers } from '../../domain/access/members.ts'
import { getOrganization } from '../../domain/access/organizations.ts'
import { ROLES, type Role } from '../../domain/access/role.ts'
import { listed, type Run } from './command.ts'

const NO_PAGE =
  'The page of invitations is not built yet: accept the token after # with POST /console/api/invitations/accept.'

type InviteOptions = { organization?: string; role?: Role; operator?: boolean }

/** `members invite|list` */
export function addMemberCommands(program: Command, run: Run, env: NodeJS.ProcessEnv): void {
  const members = program.command('members').description('people who sign in to the console')
  members
    .command('invite <email>')
    .description(
      'print the link by which a person becomes a member, an operator, or both; it works once',
    )
    .option('--organization <name|id>', 'the organization that they become a member of')
    .addOption(new Option('--role <role>', 'the role in the organization').choices(ROLES))
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
          text: `${link}\nSend it to ${invited.email} only. It works once, until ${until}, and is not shown again.\n${NO_PAGE}`,
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
}
