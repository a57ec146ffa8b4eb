import { rmSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listProcesses } from './processTable.ts'

/** Held by the one start that runs on a data directory. */
export type StartLock = { release(): void }

export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError'
}

/** Takes the data directory's lock; one whose holder is dead is void. Throws `AlreadyRunningError`. */
export async function takeStartLock(dataDirectory: string): Promise<StartLock> {
  const path = join(dataDirectory, 'start.pid')
  const holder = Number(await readFile(path, 'utf8').catch(() => Number.NaN))
  if (await isStart(holder)) throw alreadyRunning(holder)
  await rm(path, { force: true })
  const file = await open(path, 'wx').catch(() => {
    throw alreadyRunning('just started')
  })
  await file.writeFile(String(process.pid))
  await file.close()
  return { release: () => rmSync(path, { force: true }) }
}

/** Process ids are used again: only one whose command is a start's holds the lock. */
async function isStart(pid: number): Promise<boolean> {
  const marks = ['processes/start.ts', 'cli/reset.ts']
  return (await listProcesses()).some(
    (other) =>
      other.pid === pid &&
      pid !== process.pid &&
      marks.some((mark) => other.command.includes(mark)),
  )
}

function alreadyRunning(holder: number | string) {
  return new AlreadyRunningError(
    `This project already runs here (process ${holder}). Stop it first.`,
  )
}
