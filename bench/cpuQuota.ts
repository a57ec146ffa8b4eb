import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyOf } from '../test/chaos/processStats.ts'

const V1 = '/sys/fs/cgroup/cpu'
const V2 = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']
/** Short, so that a process which has used its part waits for some milliseconds. */
const PERIOD_US = 20_000
const PROCESSES = 'cgroup.procs'

/**
 * Limits processes, and all that they start, to a part of a core, as a small machine would. Returns a function that removes
 * the limit. Needs Linux, root, and a cgroup of the processor that can be written. Throws without it.
 */
export async function limitCpu(name: string, pid: number, cores: number): Promise<() => void> {
  const folder = openGroup(`causeway-${process.pid}-${name}`, Math.round(cores * PERIOD_US))
  for (const member of await familyOf(pid)) writeFileSync(join(folder, PROCESSES), `${member}`)
  return () => {
    for (const member of readFileSync(join(folder, PROCESSES), 'utf8').split('\n').filter(Boolean))
      writeFileSync(join(folder, '..', PROCESSES), member)
    rmdirSync(folder)
  }
}

function openGroup(name: string, quotaUs: number): string {
  if (existsSync(join(V1, 'cpu.cfs_quota_us'))) {
    const folder = join(V1, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'cpu.cfs_period_us'), `${PERIOD_US}`)
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), `${quotaUs}`)
    return folder
  }
  const root = V2.find((candidate) => existsSync(join(candidate, 'cgroup.controllers')))
  if (!root) throw new Error('this machine has no cgroup of the processor')
  writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'cpu.max'), `${quotaUs} ${PERIOD_US}`)
  return folder
}
