import { readdir, readFile } from 'node:fs/promises'
import type { Installation } from './installation.ts'

/** The sums of a process and its children. Each counts its part of shared memory. */
export type ProcessStats = { name: string; memoryMb: number; handles: number }

export async function readProcessStats(installation: Installation): Promise<ProcessStats[]> {
  const { indexer, apis, workers } = installation
  const all = [{ name: 'indexer', current: indexer.current }, ...apis, ...workers]
  return Promise.all(
    all.map(async ({ name, current }) => {
      const pids = await familyOf(current().pid)
      const each = await Promise.all(pids.map(statsOf))
      return {
        name,
        memoryMb: Math.round(each.reduce((sum, { pssKb }) => sum + pssKb, 0) / 1_024),
        handles: each.reduce((sum, { handles }) => sum + handles, 0),
      }
    }),
  )
}

/** A process with all below it. */
export async function familyOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = text.trim().split(' ').filter(Boolean).map(Number)
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()]
}

async function statsOf(pid: number) {
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const handles = (await readdir(`/proc/${pid}/fd`).catch(() => [])).length
  return { pssKb: Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? 0), handles }
}
