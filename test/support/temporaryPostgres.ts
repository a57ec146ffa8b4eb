import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../devnet/embeddedPostgres.ts'
import { EmbeddedPostgresError } from '../../devnet/embeddedPostgresError.ts'
import { freePorts } from './freePorts.ts'

const TRIES = 3

type Options = Pick<EmbeddedPostgresOptions, 'binaries' | 'settings'>

/** A real, empty Postgres on a free port, deleted when it stops. */
export async function startTemporaryPostgres(options: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'))
  // Started by root, Postgres runs as another user, who must be able to read the folder.
  await chmod(folder, 0o755)
  const { url, stop } = await startOnFreePort({
    ...options,
    dataDirectory: join(folder, 'postgres'),
  })
  return {
    url,
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** It listens seconds after its port was found free, so another process may have taken the port. */
async function startOnFreePort(options: Options & { dataDirectory: string }) {
  for (let tries = 1; ; tries += 1) {
    const [port = 0] = await freePorts(1)
    try {
      return await startEmbeddedPostgres({ ...options, port, password: 'test', isFast: true })
    } catch (error) {
      const isTaken = error instanceof EmbeddedPostgresError && /TCP.IP sockets/.test(error.message)
      if (!isTaken || tries === TRIES) throw error
    }
  }
}
