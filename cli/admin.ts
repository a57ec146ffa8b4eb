import { userInfo } from 'node:os'
import { Command } from 'commander'
import { UnknownChainError } from '../db/indexRebuilds.ts'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { AccessError } from '../domain/access/accessError.ts'
import { ServiceError } from '../domain/error/serviceError.ts'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { addAuditCommands } from './admin/auditCommands.ts'
import type { Answer, Run } from './admin/command.ts'
import { addIndexCommands } from './admin/indexCommands.ts'
import { addKeyCommands } from './admin/keyCommands.ts'
import { addOrganizationCommands } from './admin/organizationCommands.ts'
import { addSmartDepositCommands } from './admin/smartDepositCommands.ts'
import { addWebhookCommands } from './admin/webhookCommands.ts'
import { AdminConnectionError, findAdminConnection } from './adminConnection.ts'

/** Organizations, their API keys and webhooks, the index, and the audit log: `npm run admin -- --help`. */
const EXPECTED = [AccessError, AdminConnectionError, ServiceError, UnknownChainError]

const program = new Command('admin')
  .description(
    'Organizations, API keys, the index. Uses DATABASE_URL and APP_SECRET, or else the local start in DATA_DIRECTORY.',
  )
  .option('--json', 'print JSON')
  .showHelpAfterError('(--help shows all commands)')

const run: Run = async (act) => {
  try {
    const { json, text } = await asAdministrator(act)
    process.stdout.write(`${program.opts().json ? JSON.stringify(json, null, 2) : text}\n`)
  } catch (error) {
    const isExpected = EXPECTED.some((expected) => error instanceof expected)
    process.stderr.write(
      `error: ${isExpected && error instanceof Error ? error.message : String(error)}\n`,
    )
    process.exitCode = 1
  }
}

for (const add of [
  addOrganizationCommands,
  addKeyCommands,
  addWebhookCommands,
  addSmartDepositCommands,
  addIndexCommands,
  addAuditCommands,
])
  add(program, run)
await program.parseAsync()

async function asAdministrator(act: Parameters<Run>[0]): Promise<Answer> {
  const { databaseUrl, ...secrets } = await findAdminConnection(
    process.env,
    findDataDirectory(process.env),
  )
  await migrate(databaseUrl)
  const sql = connect(databaseUrl, { applicationName: 'causeway-admin', max: 1 })
  try {
    return await act({ sql, ...secrets, actor: `cli:${userName()}` })
  } finally {
    await sql.end({ timeout: 2 })
  }
}

/** The operating system's user name; containers may run as users without one. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
