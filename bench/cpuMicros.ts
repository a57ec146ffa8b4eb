import { readdirSync, readFileSync } from 'node:fs'

/** Linux shows processor time in hundredths of a second. */
const MICROS_PER_TICK = 10_000

/**
 * Microseconds of processor time of a process and all that it has started: the servers, Postgres and the generator of a benchmark,
 * and nothing else that the machine does meanwhile. Linux only.
 */
export function cpuMicros(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
  const children = Map.groupBy(processes, ({ parent }) => parent)
  let micros = 0
  const open = processes.filter(({ pid }) => pid === root)
  for (let next = open.pop(); next; next = open.pop()) {
    micros += next.ticks * MICROS_PER_TICK
    open.push(...(children.get(next.pid) ?? []))
  }
  return micros
}

function readStat(pid: string): { pid: number; parent: number; ticks: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [, parent] = fields
    return {
      pid: Number(pid),
      parent: Number(parent),
      // Its own, and those of its children that have ended: else they would be missing at the end of a measurement.
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    }
  } catch {
    return { pid: Number(pid), parent: 0, ticks: 0 } // It has ended meanwhile.
  }
}
