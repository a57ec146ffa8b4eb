import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfPresent } from '../devnet/readIfPresent.ts'
import { EnvironmentError } from '../processes/configuration/environmentError.ts'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { endOrphans } from '../processes/start/endOrphans.ts'
import { AlreadyRunningError, takeStartLock } from '../processes/start/startLock.ts'

/** `npm run reset`: deletes the local world, its chains, database, keys and logs. */
try {
  const dataDirectory = findDataDirectory(process.env)
  if (existsSync(dataDirectory)) await deleteWorld(dataDirectory)
  process.stdout.write('The local world is deleted. The next npm start creates a new one.\n')
} catch (error) {
  if (!(error instanceof AlreadyRunningError || error instanceof EnvironmentError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function deleteWorld(dataDirectory: string) {
  await takeStartLock(dataDirectory)
  await endOrphans(dataDirectory)
  const postgresFolder = await readIfPresent(join(dataDirectory, 'postgres-folder'))
  if (postgresFolder) await rm(postgresFolder, { recursive: true, force: true })
  await rm(dataDirectory, { recursive: true, force: true })
}
