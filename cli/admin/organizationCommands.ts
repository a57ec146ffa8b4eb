import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Hex } from 'viem'
import {
  createOrganization,
  getOrganization,
  listOrganizations,
  setOrganization,
} from '../../domain/access/organizations.ts'
import { RATE_LIMIT_TIERS, type RateLimitTier } from '../../domain/access/rateLimitTier.ts'
import { formatTable } from '../formatTable.ts'
import { listed, type Run } from './command.ts'

type SetOptions = {
  distributorCode?: string
  slippageBps?: number
  settleOnSubmit?: boolean
  rateLimitTier?: RateLimitTier
}

/** `organizations create|list|show|set` */
export function addOrganizationCommands(program: Command, run: Run): void {
  const organizations = program.command('organizations').description('who may have keys')
  organizations
    .command('create <name>')
    .description('make an organization with default settings')
    .action((name: string) =>
      run(async (administrator) => {
        const created = await createOrganization(administrator, name)
        return { json: created, text: `Organization ${created.name}, id ${created.id}` }
      }),
    )
  organizations
    .command('list')
    .description('all organizations, by name')
    .action(() =>
      run(async ({ sql }) => listed(await listOrganizations(sql), 'No organizations yet')),
    )
  organizations
    .command('show <name|id>')
    .description('one organization and its settings')
    .action((nameOrId: string) =>
      run(async ({ sql }) => {
        const found = await getOrganization(sql, nameOrId)
        return { json: found, text: formatTable([found], '') }
      }),
    )
  organizations
    .command('set <name|id>')
    .description('change what its callers get, within 5 seconds')
    .option('--distributor-code <hex>', 'tags what is prepared without a code; "none" for none')
    .option('--slippage-bps <bps>', "what of a deposit's shares may be lost", parseBps)
    .option('--settle-on-submit <true|false>', 'settle withdrawal orders at once', parseFlag)
    .addOption(
      new Option('--rate-limit-tier <tier>', 'how much its callers may ask').choices(
        RATE_LIMIT_TIERS,
      ),
    )
    .action((nameOrId: string, { distributorCode: code, ...settings }: SetOptions) =>
      run(async (administrator) => {
        const defaultDistributorCode =
          code === 'none' ? null : (code?.toLowerCase() as Hex | undefined)
        const changed = await setOrganization(administrator, nameOrId, {
          ...settings,
          defaultDistributorCode,
        })
        return { json: changed, text: `Organization ${changed.name} is changed` }
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
