import { rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listProcesses } from '../../devnet/processTable.ts'
import { readIfPresent } from '../../devnet/readIfPresent.ts'

/** Lets one start at a time run on a data directory. */
export type StartLock = { release(): void }

export class AlreadyRunningError extends Error {
  override name = 'AlreadyRunningError'
}

/** Takes the data directory's lock. A lock whose holder has ended is void. Throws `AlreadyRunningError`. */
export async function takeStartLock(dataDirectory: string): Promise<StartLock> {
  const path = join(dataDirectory, 'start.pid')
  const holder = Number((await readIfPresent(path)) ?? Number.NaN)
  if (await isStart(holder)) throw alreadyRunning(holder)
  await rm(path, { force: true })
  const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    // Another start took the lock meanwhile.
    throw error.code === 'EEXIST' ? alreadyRunning() : error
  })
  await file.writeFile(String(process.pid))
  await file.close()
  return { release: () => rmSync(path, { force: true }) }
}

/** Process ids are reused, so the command line must match too. */
async function isStart(pid: number): Promise<boolean> {
  const marks = ['processes/start.ts', 'cli/reset.ts']
  return (await listProcesses()).some(
    (other) =>
      other.pid === pid &&
      pid !== process.pid &&
      marks.some((mark) => other.command.includes(mark)),
  )
}

function alreadyRunning(holder?: number) {
  const name = holder === undefined ? '' : ` (process ${holder})`
  return new AlreadyRunningError(
    `Causeway already runs here${name}. Stop it first, or set DATA_DIRECTORY to another folder.`,
  )
}
