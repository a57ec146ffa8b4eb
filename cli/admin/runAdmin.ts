import { userInfo } from 'node:os'
import { Command, CommanderError } from 'commander'
import { UnknownChainError } from '../../db/indexRebuilds.ts'
import { migrate } from '../../db/migrate.ts'
import { connect } from '../../db/sql.ts'
import { AccessError } from '../../domain/access/accessError.ts'
import { AddressBookError } from '../../domain/addressBook/addressBook.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { withDatabase } from '../../processes/configuration/answeringDatabase.ts'
import { EnvironmentError } from '../../processes/configuration/environmentError.ts'
import { findDataDirectory } from '../../processes/dataDirectory.ts'
import { AdminConnectionError, findAdminConnection } from '../adminConnection.ts'
import { type CommandProcess, printableProcess } from '../commandProcess.ts'
import { NoAddressBookError } from '../findEnvironment.ts'
import { addAuditCommands } from './auditCommands.ts'
import type { Answer, Run } from './command.ts'
import { addIndexCommands } from './indexCommands.ts'
import { addKeyCommands } from './keyCommands.ts'
import { addOrganizationCommands } from './organizationCommands.ts'
import { addSmartDepositCommands } from './smartDepositCommands.ts'
import { addTransitCommands } from './transitCommands.ts'
import { addWebhookCommands } from './webhookCommands.ts'

const EXPECTED = [
  AccessError,
  AddressBookError,
  AdminConnectionError,
  EnvironmentError,
  NoAddressBookError,
  ServiceError,
  UnknownChainError,
]

/** Runs one command of `npm run admin`. Returns its exit code: 1 after an error, which it has printed. */
export async function runAdmin(
  parameters: string[],
  commandProcess: CommandProcess,
): Promise<number> {
  const { env, stdout, stderr } = printableProcess(commandProcess)
  let code = 0
  const program = new Command('admin')
    .description(
      'Organizations, API keys, the index. Uses DATABASE_URL and APP_SECRET, or else the local start in DATA_DIRECTORY.',
    )
    .option('--json', 'print JSON')
    .showHelpAfterError('(--help shows all commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })

  const run: Run = async (act) => {
    try {
      const { json, text } = await asAdministrator(env, act)
      stdout.write(`${program.opts().json ? JSON.stringify(json, null, 2) : text}\n`)
    } catch (error) {
      const isExpected = EXPECTED.some((expected) => error instanceof expected)
      stderr.write(
        `error: ${isExpected && error instanceof Error ? error.message : String(error)}\n`,
      )
      code = 1
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
  addTransitCommands(program, run, env)

  try {
    await program.parseAsync(parameters, { from: 'user' })
    return code
  } catch (error) {
    // Help and errors in the parameters, which commander has printed.
    if (error instanceof CommanderError) return error.exitCode
    throw error
  }
}

async function asAdministrator(env: NodeJS.ProcessEnv, act: Parameters<Run>[0]): Promise<Answer> {
  const { databaseUrl, ...secrets } = await findAdminConnection(env, findDataDirectory(env))
  await withDatabase(databaseUrl, () => migrate(databaseUrl))
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
