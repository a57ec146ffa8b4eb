import { createProductFolder } from '../start/startedProduct.ts'
import { type DayReport, runDay } from './dayRounds.ts'

/** A day of the local world in minutes, on Linux: `npm run simulate:day -- [hours] [orders per hour]`. */
const hours = Number(process.argv[2] ?? 24)
const ordersPerHour = Number(process.argv[3] ?? 10)
const print = (line: string) => process.stdout.write(`${line}\n`)

type Limit = [name: string, limit: number, of: (report: DayReport) => number]

const LIMITS: Limit[] = [
  ['memory of all nodes, MB', 1_500, ({ memoryMb }) => memoryMb],
  ['files of all chains, MB', 1_000, ({ diskMb }) => diskMb],
  ['written, MB/s', 1, ({ writtenMbPerSecond }) => writtenMbPerSecond],
  ['start from this age, s', 20, ({ startSeconds }) => startSeconds],
  ['reads that changed by a restart', 0, ({ changed }) => changed.length],
  ['orders lost by kill -9 after 30 s', 0, ({ lostOrders }) => lostOrders.length],
]

const folder = await createProductFolder()
try {
  const report = await runDay({ folder, hours, ordersPerHour, print })
  print(`${hours} hours, ${report.blocks} blocks on all chains, ${report.reads} reads compared`)
  print(`stop: ${report.stopSeconds} s`)
  for (const [name, limit, of] of LIMITS) {
    const value = of(report)
    print(`${name}: ${Math.round(value * 100) / 100} (limit ${limit})`)
    if (value > limit) process.exitCode = 1
  }
  for (const question of report.changed) print(`changed: ${question}`)
} finally {
  await folder.remove()
}
