import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { freePort } from './freePort.ts'

export type ScratchDatabase = { url: string; stop(): Promise<void> }

/** The given database, or a Postgres of its own, which is deleted with all that was indexed. */
export async function openScratchDatabase(given: string | null): Promise<ScratchDatabase> {
  if (given !== null) return { url: given, stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'causeway-rehearse-'))
  // As root, Postgres runs as an account that must be able to enter the folder.
  await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    isFast: true,
  })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
