import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A process of this machine; `group` is the process group that a signal to `-group` reaches. */
export type TableProcess = {
  pid: number
  group: number
  command: string
  /** Seconds of processor time that it has used. */
  cpuSeconds: number
}

const run = promisify(execFile)
/** Linux shows processor time in hundredths of a second on every architecture. */
const TICKS_PER_SECOND = 100

/** All running processes without zombies, from /proc on Linux and from `ps` elsewhere. */
export async function listProcesses(): Promise<TableProcess[]> {
  if (process.platform !== 'linux') return listByPs()
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return (await Promise.all(pids.map(readProcess))).flat()
}

/** Seconds of processor time of each process group that has a running process. */
export async function cpuSecondsByGroup(): Promise<Map<number, number>> {
  const seconds = new Map<number, number>()
  for (const { group, cpuSeconds } of await listProcesses())
    seconds.set(group, (seconds.get(group) ?? 0) + cpuSeconds)
  return seconds
}

async function readProcess(pid: string): Promise<TableProcess[]> {
  try {
    const [stat, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    // The name in parentheses may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, , group] = fields
    const [inUser, inKernel] = fields.slice(11, 13).map(Number)
    // A process whose first thread has ended is shown as a zombie while others still hold its ports.
    const hasEnded = state === 'Z' && Number(fields[17]) <= 1
    const command = commandLine.replaceAll('\0', ' ').trim()
    const cpuSeconds = ((inUser ?? 0) + (inKernel ?? 0)) / TICKS_PER_SECOND
    return hasEnded ? [] : [{ pid: Number(pid), group: Number(group), command, cpuSeconds }]
  } catch {
    return [] // It has ended meanwhile.
  }
}

async function listByPs(): Promise<TableProcess[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,pgid=,state=,time=,command='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, group, state, time, command] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (!pid || !time || !command || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), group: Number(group), command, cpuSeconds: parseTime(time) }]
  })
}

/** `1-02:03:04` or `123:04.56`. */
function parseTime(time: string): number {
  const [rest = '', days = '0'] = time.split('-').reverse()
  return (
    rest.split(':').reduce((total, part) => total * 60 + Number(part), 0) + Number(days) * 86_400
  )
}
