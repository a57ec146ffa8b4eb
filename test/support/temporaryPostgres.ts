import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { freePorts } from './freePorts.ts'

/** A real, empty Postgres on a free port, gone without a trace once stopped. */
export async function startTemporaryPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'))
  // As root, Postgres runs as somebody else, who must get in.
  await chmod(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const { url, stop } = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    port,
    password: 'test',
    isFast: true,
  })
  return {
    url,
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
