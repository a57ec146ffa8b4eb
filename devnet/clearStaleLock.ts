import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readIfPresent } from './readIfPresent.ts'

const run = promisify(execFile)
const STOP_MS = 8_000

/**
 * Ends a Postgres that a killed start left running on this folder. Postgres itself handles the lock file
 * of an ended one. Only if another process has its process id by now, the file is removed here.
 */
export async function clearStaleLock(dataDirectory: string) {
  const lock = join(dataDirectory, 'postmaster.pid')
  const text = await readIfPresent(lock)
  const pid = Number(text?.split('\n')[0])
  if (!pid) return
  const command = await commandOf(pid)
  if (command === null) return
  if (command.includes(dataDirectory)) await endProcess(pid)
  else await rm(lock, { force: true })
}

/** The words of a running process's command line; null if there is no such process. */
async function commandOf(pid: number): Promise<string[] | null> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
    return line === null ? null : line.split('\0')
  }
  const line = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => null)
  return line === null ? null : line.stdout.trim().split(' ')
}

async function endProcess(pid: number) {
  const isAlive = async () => (await commandOf(pid)) !== null
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < STOP_MS && (await isAlive()); waited += 50) await sleep(50)
  if (await isAlive()) process.kill(pid, 'SIGKILL')
}
