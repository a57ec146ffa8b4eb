import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, readRunFile, removeRunFile } from './runFile.ts'

export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError'
}

const END_MS = 5_000

/**
 * Settles what an earlier start left: throws `AlreadyRunningError` if it still runs; after one that
 * was killed, ends its orphans and says so by true, since its nodes may have lost their last blocks.
 */
export async function settlePreviousRun(dataDirectory: string): Promise<boolean> {
  const previous = await readRunFile(dataDirectory)
  if (!previous) return false
  const { start, ...others } = previous.pids
  if (start && isAlive(start) && (await isOurs(start, 'processes/start.ts')))
    throw new AlreadyRunningError(
      `This project already runs here (process ${start}, ${previous.apiUrl}). Stop it first.`,
    )
  for (const [name, pid] of Object.entries(others)) await endOrphan(name, pid)
  await removeRunFile(dataDirectory)
  return true
}

/** Process ids are used again: only one whose command fits its name is ended. */
async function endOrphan(name: string, pid: number) {
  const mark = name.split('-')[0] ?? name
  if (!isAlive(pid) || !(await isOurs(pid, mark))) return
  process.kill(pid, 'SIGKILL')
  for (let waited = 0; waited < END_MS && isAlive(pid); waited += 50) await sleep(50)
}

async function isOurs(pid: number, mark: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => mark)
  return command.includes(mark)
}
