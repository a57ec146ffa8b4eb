import { Command, InvalidArgumentError } from 'commander'
import type { Hex } from 'viem'
import { orderRebuild, UnknownChainError } from '../db/indexRebuilds.ts'
import { listIndexBuilds } from '../db/listIndexBuilds.ts'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { createKey, type KeyContext, listKeys, revokeKey } from '../domain/access/keys.ts'
import {
  createOrganization,
  getOrganization,
  listOrganizations,
  OrganizationError,
  setOrganization,
} from '../domain/access/organizations.ts'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { AdminConnectionError, findAdminConnection } from './adminConnection.ts'
import { formatTable } from './formatTable.ts'

/** Organizations, their API keys, and the index: `npm run admin -- --help`. */
const DAY_MS = 86_400_000
const LARGEST_INTEGER = 2_147_483_647
const LONGEST_DAYS = 36_500

const EXPECTED = [OrganizationError, AdminConnectionError, UnknownChainError]

type SetOptions = { distributorCode?: string; slippageBps?: number; settleOnSubmit?: boolean }
type Answer = { json: unknown; text: string }

const program = new Command('admin')
  .description(
    'Organizations, API keys, the index. Uses DATABASE_URL and APP_SECRET, or else the local start in DATA_DIRECTORY.',
  )
  .option('--json', 'print JSON')
  .showHelpAfterError('(--help shows all commands)')

const organizations = program.command('organizations').description('who may have keys')
organizations
  .command('create <name>')
  .description('make an organization with default settings')
  .action((name: string) =>
    answer(async ({ sql }) => {
      const created = await createOrganization(sql, name)
      return { json: created, text: `Organization ${created.name}, id ${created.id}` }
    }),
  )
organizations
  .command('list')
  .description('all organizations, by name')
  .action(() =>
    answer(async ({ sql }) => {
      const listed = await listOrganizations(sql)
      return { json: listed, text: formatTable(listed, 'No organizations yet') }
    }),
  )
organizations
  .command('set <name|id>')
  .description('change what its callers get, within 5 seconds')
  .option('--distributor-code <hex>', 'tags what is prepared without a code; "none" for none')
  .option('--slippage-bps <bps>', "what of a deposit's shares may be lost", parseBps)
  .option('--settle-on-submit <true|false>', 'settle withdrawal orders at once', parseFlag)
  .action((nameOrId: string, options: SetOptions) =>
    answer(async ({ sql }) => {
      const { distributorCode: code, slippageBps, settleOnSubmit } = options
      const defaultDistributorCode =
        code === 'none' ? null : (code?.toLowerCase() as Hex | undefined)
      const settings = { defaultDistributorCode, slippageBps, settleOnSubmit }
      await setOrganization(sql, nameOrId, settings)
      return { json: settings, text: `Organization ${nameOrId} is changed` }
    }),
  )

const keys = program.command('keys').description('what callers send as x-api-key')
keys
  .command('create')
  .description('make a key and show it, this once')
  .requiredOption('--organization <name|id>', 'whose key it is')
  .option('--name <name>', 'what it is for')
  .option('--expires-days <days>', 'valid for so many days; without it, until revoked', parseDays)
  .action((options: { organization: string; name?: string; expiresDays?: number }) =>
    answer(async (context) => {
      const { organization, name, expiresDays } = options
      const { id: organizationId } = await getOrganization(context.sql, organization)
      const expiresAt = expiresDays ? new Date(Date.now() + expiresDays * DAY_MS) : undefined
      const created = await createKey(context, { organizationId, name, expiresAt })
      return { json: created, text: `${created.key}\nKeep it now: it is not shown again.` }
    }),
  )
keys
  .command('list')
  .description('all keys, without their secrets')
  .action(() =>
    answer(async ({ sql }) => {
      const listed = await listKeys(sql)
      return { json: listed, text: formatTable(listed, 'No keys yet') }
    }),
  )
keys
  .command('revoke <publicId>')
  .description('end a key within 5 seconds, for good')
  .action((publicId: string) =>
    answer(async ({ sql }) => {
      if (!(await revokeKey(sql, publicId)))
        throw new OrganizationError(`There is no key with the public id "${publicId}"`)
      return { json: { publicId, isRevoked: true }, text: `Revoked ${publicId}` }
    }),
  )

const index = program.command('index').description('what is indexed of the chains')
index
  .command('list')
  .description('the builds of every chain, and why one does not come up')
  .action(() =>
    answer(async ({ sql }) => {
      const listed = await listIndexBuilds(sql)
      return { json: listed, text: formatTable(listed, 'Nothing is indexed yet') }
    }),
  )
index
  .command('rebuild')
  .argument('<chainId>', 'the chain', parseChainId)
  .description('index a chain anew, beside what serves until that is level')
  .requiredOption('--reason <reason>', 'why; health shows it', parseReason)
  .action((chainId: number, { reason }: { reason: string }) =>
    answer(async ({ sql }) => {
      await orderRebuild(sql, chainId, reason)
      const text = `Chain ${chainId} is indexed anew within seconds; "index list" shows it`
      return { json: { chainId, reason }, text }
    }),
  )

await program.parseAsync()

async function answer(run: (context: KeyContext) => Promise<Answer>) {
  try {
    const { json, text } = await withConnection(run)
    process.stdout.write(`${program.opts().json ? JSON.stringify(json, null, 2) : text}\n`)
  } catch (error) {
    const isExpected = EXPECTED.some((expected) => error instanceof expected)
    process.stderr.write(
      `error: ${isExpected && error instanceof Error ? error.message : String(error)}\n`,
    )
    process.exitCode = 1
  }
}

async function withConnection<Result>(run: (context: KeyContext) => Promise<Result>) {
  const { databaseUrl, appSecret } = await findAdminConnection(
    process.env,
    findDataDirectory(process.env),
  )
  await migrate(databaseUrl)
  const sql = connect(databaseUrl, { applicationName: 'causeway-admin', max: 1 })
  try {
    return await run({ sql, appSecret })
  } finally {
    await sql.end({ timeout: 2 })
  }
}

function parseDays(text: string): number {
  const days = Number(text)
  if (!Number.isInteger(days) || days < 1 || days > LONGEST_DAYS)
    throw new InvalidArgumentError(`expected an integer from 1 to ${LONGEST_DAYS}`)
  return days
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

function parseChainId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > LARGEST_INTEGER)
    throw new InvalidArgumentError('expected the id of a chain')
  return Number(text)
}

/** One line, for a page that everybody may see. */
function parseReason(text: string): string {
  if (!/^[^\p{Cc}]{1,200}$/u.test(text.trim()))
    throw new InvalidArgumentError('expected one line of 1 to 200 characters')
  return text.trim()
}
