import { chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { freePorts } from '../../test/support/freePorts.ts'
import { benchSettings } from '../benchPostgres.ts'

const PASSWORD = 'bench'

export type SizedPostgres = Pick<EmbeddedPostgres, 'url' | 'pid'> & {
  /** Starts it again with a standby that follows it by streaming replication, on a copy of its files. */
  addStandby(): Promise<{ primary: SizedPostgres; standby: SizedPostgres }>
}

/** A Postgres whose process id is known. Ends with the stack. */
export async function startSizedPostgres(stack: AsyncDisposableStack): Promise<SizedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  // Started by root, Postgres runs as another user, who must be able to read the folder.
  await chmod(folder, 0o755)
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const [port = 0, standbyPort = 0] = await freePorts(2)
  const dataDirectory = join(folder, 'primary')
  const start = (at: { dataDirectory: string; port: number; settings?: Record<string, string> }) =>
    startEmbeddedPostgres({
      ...at,
      settings: { ...benchSettings, ...at.settings },
      password: PASSWORD,
      isFast: true,
    })
  let running = await start({ dataDirectory, port })
  stack.defer(() => running.stop())
  const described = ({ url, pid }: EmbeddedPostgres): SizedPostgres => ({ url, pid, addStandby })

  async function addStandby() {
    await running.stop()
    const copy = join(folder, 'standby')
    await copyFiles(dataDirectory, copy)
    running = await start({ dataDirectory, port })
    const primary_conninfo = `host=127.0.0.1 port=${port} user=postgres password=${PASSWORD}`
    const settings = { primary_conninfo, hot_standby_feedback: 'on' }
    const standby = await start({ dataDirectory: copy, port: standbyPort, settings })
    stack.defer(() => standby.stop())
    return { primary: described(running), standby: described(standby) }
  }
  return described(running)
}

/** The files of a Postgres that was stopped, as those of a standby. */
async function copyFiles(from: string, to: string) {
  const { uid, gid } = await stat(from)
  await cp(from, to, { recursive: true, preserveTimestamps: true })
  const signal = join(to, 'standby.signal')
  await writeFile(signal, '')
  await chmod(to, 0o700)
  await ownAll(to, uid, gid)
}

async function ownAll(path: string, uid: number, gid: number) {
  await chown(path, uid, gid)
  for (const entry of await readdir(path, { recursive: true }))
    await chown(join(path, entry), uid, gid)
}
