import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive, readRunFile } from '../processes/start/runFile.ts'

/** `npm run reset`: forgets the local world, its chains, database, keys and logs. */
const dataDirectory = join(new URL('..', import.meta.url).pathname, '.causeway')
const run = await readRunFile(dataDirectory)
if (run?.pids.start && isAlive(run.pids.start)) {
  process.stderr.write(`Causeway is running (process ${run.pids.start}). Stop it first.\n`)
  process.exit(1)
}
const postgresFolder = await readFile(join(dataDirectory, 'postgres-folder'), 'utf8').catch(
  () => null,
)
if (postgresFolder) await rm(postgresFolder, { recursive: true, force: true })
await rm(dataDirectory, { recursive: true, force: true })
process.stdout.write('The local world is forgotten; the next npm start makes a new one.\n')
