import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../devnet/embeddedPostgres.ts'
import { EmbeddedPostgresError } from '../../devnet/embeddedPostgresError.ts'
import { freePorts } from './freePorts.ts'

const TRIES = 3

/** The filesystem in memory that Linux has. */
const IN_MEMORY = '/dev/shm'
/** Bytes that must be free there and in memory. A run of all tests takes a quarter of it. */
const ROOM = 4e9

type Options = Pick<EmbeddedPostgresOptions, 'binaries' | 'settings'> & {
  /** For measurements: the files are on a disk even where they fit into memory. */
  onDisk?: boolean
}

/** A real, empty Postgres on a free port, deleted when it stops. */
export async function startTemporaryPostgres({ onDisk = false, ...options }: Options = {}) {
  const parent = !onDisk && (await hasRoomInMemory()) ? IN_MEMORY : tmpdir()
  const folder = await mkdtemp(join(parent, 'causeway-test-'))
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

/** A copied database has a thousand files. On a disk, creating them takes most of the time of the copy. */
async function hasRoomInMemory(): Promise<boolean> {
  const free = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return Math.min(free, process.availableMemory()) > ROOM
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
