import { cpuSecondsByGroup } from './processTable.ts'

/** Seconds of processor time that count as a movement. */
const STEP = 0.1

/**
 * Whether any of these processes has worked since the call before: it used more processor time than any
 * process of its name had before. A process that fails and starts again and again does not move.
 * `groups` gives the process groups by name.
 */
export function createCpuWatch(
  groups: () => Record<string, number>,
  step = STEP,
): () => Promise<boolean> {
  const highest = new Map<string, number>()
  return async () => {
    const used = await cpuSecondsByGroup()
    let hasMoved = false
    for (const [name, group] of Object.entries(groups())) {
      const seconds = used.get(group) ?? 0
      if (seconds < (highest.get(name) ?? 0) + step) continue
      highest.set(name, seconds)
      hasMoved = true
    }
    return hasMoved
  }
}
