import { readFile } from 'node:fs/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { freePorts } from '../support/freePorts.ts'
import { type Running, type Supervised, supervise } from './supervised.ts'

export type KillablePostgres = { url: string; server: Supervised; killBackend(): Promise<void> }

/** A Postgres that keeps what it has acknowledged, however its processes end. It is started again when it ends. */
export async function startKillablePostgres(dataDirectory: string): Promise<KillablePostgres> {
  const [port = 0] = await freePorts(1)
  let url = ''
  const server = await supervise('postgres', async () => {
    const postgres = await startWithRoom({ dataDirectory, port })
    url = postgres.url
    return toRunning(postgres)
  })
  return {
    url,
    server,
    /** Kills one process of the server: the server then ends all connections and recovers. */
    async killBackend() {
      const { pid } = server.current()
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      // Backends end by themselves too. Each kill stops the server, so one is enough.
      children.trim().split(' ').filter(Boolean).reverse().some(killed)
    },
  }
}

/** Tries again while its disk is full. */
async function startWithRoom(place: { dataDirectory: string; port: number }) {
  for (const deadline = Date.now() + 60_000; ; )
    try {
      return await startEmbeddedPostgres({
        ...place,
        password: 'test',
        isFast: true,
        // A kill of processes loses no page of the system, so fsync adds nothing here.
        settings: { synchronous_commit: 'on', full_page_writes: 'on' },
      })
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
}

function toRunning({ pid, ended, stop }: EmbeddedPostgres): Running {
  let words = ''
  void ended.then((last) => {
    words = last
  })
  return {
    pid,
    ended,
    output: () => words,
    async kill() {
      killed(pid)
      await ended
    },
    stop,
  }
}

/** False for a process that has ended by itself. */
function killed(pid: string | number): boolean {
  try {
    return process.kill(Number(pid), 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
