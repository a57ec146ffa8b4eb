import { userInfo } from 'node:os'
import { UnknownChainError } from '../../db/indexRebuilds.ts'
import { migrate } from '../../db/migrate.ts'
import { connect } from '../../db/sql.ts'
import { AccessError } from '../../domain/access/accessError.ts'
import { AddressBookError } from '../../domain/addressBook/addressBook.ts'
import { NodesUnavailableError } from '../../domain/chain/chainNodes.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { withDatabase } from '../../processes/configuration/answeringDatabase.ts'
import { EnvironmentError } from '../../processes/configuration/environmentError.ts'
import { findDataDirectory } from '../../processes/dataDirectory.ts'
import { AdminConnectionError, findAdminConnection } from '../adminConnection.ts'
import type { CommandProcess } from '../commandProcess.ts'
import { NoAddressBookError } from '../findEnvironment.ts'
import { runProgram } from '../runProgram.ts'
import { SnapshotError } from '../snapshot/manifest.ts'
import { addAuditCommands } from './auditCommands.ts'
import type { CommandAnswer, Run } from './command.ts'
import { addIndexCommands } from './indexCommands.ts'
import { addKeyCommands } from './keyCommands.ts'
import { addMemberCommands } from './memberCommands.ts'
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
  NodesUnavailableError,
  ServiceError,
  SnapshotError,
  UnknownChainError,
]

/** Runs one command of `npm run admin`. Returns its exit code: 1 after an error, which it has printed. */
export function runAdmin(parameters: string[], commandProcess: CommandProcess): Promise<number> {
  return runProgram(parameters, commandProcess, {
    name: 'admin',
    description:
      'Organizations, API keys, the index. Uses DATABASE_URL and APP_SECRET, or else the local start in DATA_DIRECTORY.',
    expected: EXPECTED,
    addCommands(program, runCommand, { env, stdout }) {
      program.option('--json', 'print JSON')
      const run: Run = (act) =>
        runCommand(async () => {
          const { json, text } = await asAdministrator(env, act)
          stdout.write(`${program.opts().json ? JSON.stringify(json, null, 2) : text}\n`)
          return true
        })
      for (const add of [
        addOrganizationCommands,
        addKeyCommands,
        addWebhookCommands,
        addSmartDepositCommands,
        addAuditCommands,
      ])
        add(program, run)
      addIndexCommands(program, run, env)
      addMemberCommands(program, run, env)
      addTransitCommands(program, run, env)
    },
  })
}

async function asAdministrator(
  env: NodeJS.ProcessEnv,
  act: Parameters<Run>[0],
): Promise<CommandAnswer> {
  const { databaseUrl, ...secrets } = await findAdminConnection(env, findDataDirectory(env))
  await withDatabase(databaseUrl, () => migrate(databaseUrl))
  const sql = connect(databaseUrl, { applicationName: 'causeway-admin', max: 1 })
  try {
    return await act({ sql, databaseUrl, ...secrets, actor: `cli:${userName()}`, bounds: null })
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
