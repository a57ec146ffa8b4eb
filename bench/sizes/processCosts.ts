import { readFile } from 'node:fs/promises'
import { familyOf } from '../../test/chaos/processStats.ts'

/** The cost of a process and of all processes that it started. Memory that processes share counts in parts. */
export type ProcessCost = { memoryMb: number; cpuSeconds: number }

const TICKS_PER_SECOND = 100

/** The memory that processes use now, and the CPU time that they have used since their start. Linux only. */
export async function readCost(...roots: number[]): Promise<ProcessCost> {
  const pids = (await Promise.all(roots.map(familyOf))).flat()
  const each = await Promise.all(pids.map(costOf))
  return {
    memoryMb: each.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
    cpuSeconds: each.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  }
}

async function costOf(pid: number): Promise<ProcessCost> {
  const [memory, stat] = await Promise.all(
    ['smaps_rollup', 'stat'].map(
      (name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => ''), // The process has just ended.
    ),
  )
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  // Its own time in user and kernel mode, and that of its children that have ended.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return {
    memoryMb: Number(/^Pss:\s+(\d+)/m.exec(memory ?? '')?.[1] ?? 0) / 1_024,
    cpuSeconds: ticks / TICKS_PER_SECOND,
  }
}

/** Calls to nodes that a process has made, by its metrics: those of an indexer, or of an api or worker. */
export async function readCalls(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const counts = text.matchAll(
    /^causeway_rpc_(?:calls_total|request_duration_seconds_count)\{.*\} (\d+)$/gm,
  )
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
