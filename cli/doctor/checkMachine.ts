import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { MissingRightError } from './missingRightError.ts'
import { rowsOf } from './rowsOf.ts'

const LEAST_NODE = 24

/** Node's version, and the free disk where processes write. The disk of Postgres shows only where it is this machine's. */
export async function checkMachine({ sql, minFreeBytes }: DoctorContext): Promise<Line[]> {
  const node = Number(process.versions.node.split('.')[0])
  const { ok, error } = lines('machine')
  const disks = await Promise.all([
    checkDisk('disk of this machine', tmpdir(), minFreeBytes),
    findDataDirectory(sql).then((folder) =>
      folder === null ? [] : checkDisk('disk of Postgres', folder, minFreeBytes),
    ),
  ])
  return [
    ...(node < LEAST_NODE
      ? error(`Node ${process.versions.node}`, `Use Node ${LEAST_NODE} or newer.`)
      : ok(`Node ${process.versions.node}`)),
    ...disks.flat(),
  ]
}

async function checkDisk(check: string, folder: string, minFreeBytes: number): Promise<Line[]> {
  const { ok, warning } = lines(check)
  const found = await statfs(folder).catch(() => null) // Another machine's folder, or no right to look.
  if (found === null) return []
  const free = found.bavail * found.bsize
  const shown = `${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free < minFreeBytes
    ? warning(
        shown,
        `Free some: below ${(minFreeBytes / 1024 ** 3).toFixed(0)} GiB it may fill up.`,
      )
    : ok(shown)
}

/** The folder of Postgres; null without a database, and if the role may not know it. */
async function findDataDirectory(sql: DoctorContext['sql']): Promise<string | null> {
  const [row] = await rowsOf(
    { sql },
    (found) => found<{ folder: string }[]>`select current_setting('data_directory') as folder`,
  ).catch((error) => {
    // Only superusers and pg_read_all_settings may: with the documented roles that is no fault.
    if (error instanceof MissingRightError) return []
    throw error
  })
  return row?.folder ?? null
}
