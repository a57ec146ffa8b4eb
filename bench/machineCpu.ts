import { cpus } from 'node:os'

/** Microseconds that all processors together have worked since the machine started; without time stolen by other machines. */
export function machineCpuMicros(): number {
  const worked = cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq)
  return worked.reduce((sum, each) => sum + each, 0) * 1_000
}
