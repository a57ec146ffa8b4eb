import { threadCpuUsage } from 'node:process'

/** Starts to measure a request; the returned function stops, and returns its milliseconds. */
export type CpuMeter = { start(): () => number }

/**
 * Divides the CPU time of this thread equally among the requests at work: Node cannot measure one of several. A request
 * that is alone pays for all of it.
 */
export function createCpuMeter(busyMs: () => number = threadCpuMs): CpuMeter {
  let measuredAt = busyMs()
  let atWork = 0
  /** Milliseconds that a request which was always at work would have used. */
  let share = 0
  function advance() {
    const now = busyMs()
    if (atWork > 0) share += (now - measuredAt) / atWork
    measuredAt = now
  }
  return {
    start() {
      advance()
      atWork += 1
      const from = share
      return () => {
        advance()
        atWork -= 1
        return share - from
      }
    },
  }
}

/** Not the event loop's active time: that counts while another process has the processor. */
function threadCpuMs(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1_000
}
