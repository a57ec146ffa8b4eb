import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FaultKind } from './faultKind.ts'

const run = promisify(execFile)
const SIZE = '512m'
const PIECE = Buffer.alloc(1 << 20)

/** Mounts a small filesystem in memory at a folder. Null, or why it could not. */
export async function mountSmall(folder: string): Promise<string | null> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', folder])
    return null
  } catch (error) {
    return `no filesystem can be mounted here (${String(error).split('\n')[0]})`
  }
}

export async function unmount(folder: string): Promise<void> {
  await run('umount', ['-l', folder])
}

/** Fills the filesystem of Postgres, and makes room again. */
export function fullDisk(folder: string, missing: string | null): FaultKind {
  const file = join(folder, 'filled')
  return {
    name: 'full disk',
    mayRefuse: true,
    lastsMs: [1_000, 4_000],
    missing,
    async start() {
      const filling = await open(file, 'w')
      let written = 0
      try {
        for (;;) written += (await filling.write(PIECE)).bytesWritten
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await filling.close()
      }
      return {
        detail: `${Math.round(written / PIECE.length)} MB until nothing was left`,
        end: () => rm(file),
      }
    },
  }
}
