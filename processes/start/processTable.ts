import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A process of this machine; `group` is the process group that a signal to `-group` reaches. */
export type TableProcess = { pid: number; group: number; command: string }

const run = promisify(execFile)

/** All running processes without zombies, from /proc on Linux and from `ps` elsewhere. */
export async function listProcesses(): Promise<TableProcess[]> {
  if (process.platform !== 'linux') return listByPs()
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return (await Promise.all(pids.map(readProcess))).flat()
}

async function readProcess(pid: string): Promise<TableProcess[]> {
  try {
    const [stat, commandLine] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ])
    // The name in parentheses may itself contain spaces and parentheses.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = commandLine.replaceAll('\0', ' ').trim()
    return state === 'Z' ? [] : [{ pid: Number(pid), group: Number(group), command }]
  } catch {
    return [] // It has ended meanwhile.
  }
}

async function listByPs(): Promise<TableProcess[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,pgid=,state=,command='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (!pid || !command || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), group: Number(group), command }]
  })
}
