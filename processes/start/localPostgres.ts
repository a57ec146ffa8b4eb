import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clearStaleLock } from '../../devnet/clearStaleLock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { isOpenToAll } from '../../devnet/postgresBinaries.ts'
import { readIfPresent } from '../../devnet/readIfPresent.ts'

type LocalPostgresOptions = { dataDirectory: string; port: number; password: string }

/** Starts the embedded Postgres with the database of this data directory. */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await postgresFolder(options.dataDirectory)
  return startEmbeddedPostgres({
    dataDirectory: folder,
    port: options.port,
    password: options.password,
  })
}

/**
 * The folder of Postgres' data: in the data directory, or below /var/tmp if this process is root and the
 * account that runs Postgres cannot enter the data directory. A note keeps the choice for `npm run reset`.
 */
async function postgresFolder(dataDirectory: string): Promise<string> {
  const note = join(dataDirectory, 'postgres-folder')
  const noted = await readIfPresent(note)
  if (noted) return noted
  await mkdir(dataDirectory, { recursive: true })
  const isRoot = process.getuid?.() === 0
  const isInside = !isRoot || (await isOpenToAll(dataDirectory))
  const folder = isInside ? join(dataDirectory, 'postgres') : outsideFolder(dataDirectory)
  if (!isInside) {
    // Without a note it belongs to a data directory that was deleted, together with password and chains.
    await clearStaleLock(folder)
    await rm(folder, { recursive: true, force: true })
  }
  await writeFile(note, folder)
  return folder
}

function outsideFolder(dataDirectory: string): string {
  const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12)
  return join('/var/tmp', `causeway-${name}`)
}
