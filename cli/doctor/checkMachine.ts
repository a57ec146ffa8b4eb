import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { type DoctorContext, rowsOf } from './doctorContext.ts'
import { type Line, lines } from './line.ts'

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
  const found = await statfs(folder).catch(() => null)
  if (found === null) return [] // Another machine's folder, or no right to look.
  const free = found.bavail * found.bsize
  const shown = `${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free < minFreeBytes
    ? warning(
        shown,
        `Free some: below ${(minFreeBytes / 1024 ** 3).toFixed(0)} GiB it may fill up.`,
      )
    : ok(shown)
}

/** The folder of a Postgres that this role may ask for it; null for any other. */
async function findDataDirectory(sql: DoctorContext['sql']): Promise<string | null> {
  const [row] = await rowsOf(
    { sql },
    (found) => found<{ folder: string }[]>`select current_setting('data_directory') as folder`,
  )
  return row?.folder ?? null
}
