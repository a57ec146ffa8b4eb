import type { ProcessCost } from './processCosts.ts'

/** A process at one size. What was not measured is null. */
export type SizeRow = {
  size: string
  process: string
  idleMb: number
  /** Percent of one core. */
  idleCpu: number
  loadMb: number | null
  /** Microseconds of a request, or of a block. */
  unitMicros: number | null
  /** A minute, while idle. */
  calls: number | null
  databaseMb: number | null
}

export type SizeGroup = { title: string; unit: string; rows: SizeRow[]; note?: string }

export function sizeTables(groups: SizeGroup[]): string {
  return groups.map(sizeTable).join('\n\n')
}

function sizeTable({ title, unit, rows, note }: SizeGroup): string {
  const header = [
    'size',
    'process',
    'memory idle, MB',
    'CPU idle, % of a core',
    'memory under load, MB',
    `CPU of ${unit}, µs`,
    'calls to nodes a minute, idle',
    'database, MB',
  ]
  const show = (value: number | null, digits = 0) =>
    value === null ? '' : value.toLocaleString('en-US', { maximumFractionDigits: digits })
  const lines = rows.map((row) => [
    row.size,
    row.process,
    show(row.idleMb),
    show(row.idleCpu, 1),
    show(row.loadMb),
    show(row.unitMicros),
    show(row.calls),
    show(row.databaseMb),
  ])
  const table = [header, header.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`)
  return [`### ${title}`, '', ...table, ...(note ? ['', note] : [])].join('\n')
}

/** The CPU time of a process between two readings: percent of one core, and microseconds per unit. */
export function between(before: ProcessCost, after: ProcessCost) {
  const cpuSeconds = after.cpuSeconds - before.cpuSeconds
  return {
    percentIn: (seconds: number) => (cpuSeconds / seconds) * 100,
    microsPer: (units: number) => (cpuSeconds / units) * 1_000_000,
  }
}
