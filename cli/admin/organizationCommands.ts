import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Hex } from 'viem'
import {
  createOrganization,
  getOrganization,
  listOrganizations,
  setOrganization,
} from '../../domain/access/organizations.ts'
import { RATE_LIMIT_TIERS, type RateLimitTier } from '../../domain/limits/rateLimits.ts'
import { formatTable } from '../formatTable.ts'
import { listed, type Run } from './command.ts'

type SetOptions = {
  name?: string
  distributorCode?: string
  slippageBps?: number
  settleOnSubmit?: boolean
  requireSecondFactor?: boolean
  rateLimitTier?: RateLimitTier
}

/** `organizations create|list|show|set` */
export function addOrganizationCommands(program: Command, run: Run): void {
  const organizations = program
    .command('organizations')
    .description('organizations, which own keys and webhook endpoints')
  organizations
    .command('create <name>')
    .description('create an organization with default settings')
    .action((name: string) =>
      run(async (administrator) => {
        const created = await createOrganization(administrator, name)
        return { json: created, text: `Organization ${created.name}, id ${created.id}` }
      }),
    )
  organizations
    .command('list')
    .description('list all organizations by name')
    .action(() =>
      run(async ({ sql }) =>
        listed(await listOrganizations(sql), 'There are no organizations yet'),
      ),
    )
  organizations
    .command('show <name|id>')
    .description('show one organization and its settings')
    .action((nameOrId: string) =>
      run(async ({ sql }) => {
        const found = await getOrganization(sql, nameOrId)
        return { json: found, text: formatTable([found], '') }
      }),
    )
  organizations
    .command('set <name|id>')
    .description('change the name and settings; they apply within 5 seconds')
    .option('--name <name>', 'another name')
    .option(
      '--distributor-code <hex>',
      'the distributor code of requests without their own; "none" for none',
    )
    .option('--slippage-bps <bps>', "the slippage of a deposit's shares, in basis points", parseBps)
    .option(
      '--settle-on-submit <true|false>',
      'settle withdrawal requests with their submission',
      parseFlag,
    )
    .option(
      '--require-second-factor <true|false>',
      'refuse members whose account has no second factor',
      parseFlag,
    )
    .addOption(
      new Option('--rate-limit-tier <tier>', 'the quota of its callers').choices(RATE_LIMIT_TIERS),
    )
    .action((nameOrId: string, options: SetOptions) =>
      run(async (administrator) => {
        const { distributorCode: code, requireSecondFactor, ...settings } = options
        const defaultDistributorCode =
          code === 'none' ? null : (code?.toLowerCase() as Hex | undefined)
        const { id } = await getOrganization(administrator.sql, nameOrId)
        const changed = await setOrganization(administrator, id, {
          ...settings,
          defaultDistributorCode,
          requiresSecondFactor: requireSecondFactor,
        })
        return { json: changed, text: `Changed organization ${changed.name}` }
      }),
    )
}

function parseBps(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 10_000)
    throw new InvalidArgumentError('expected an integer from 0 to 10000')
  return Number(text)
}

function parseFlag(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('expected true or false')
  return text === 'true'
}
