import { percentile } from '../support/percentile.ts'
import type { ChaosReport } from './chaosRun.ts'

/** The faults, recovery times and findings of several runs. */
export function chaosTable(reports: ChaosReport[]): string {
  const faults = reports.flatMap((report) => report.faults)
  const kinds = [...Map.groupBy(faults, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1))
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  const row = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const head = (names: string[]) => [row(names), row(names.map(() => '---'))]
  const missing = [...new Set(reports.flatMap((report) => report.missing))]
  return [
    ...head(['fault', 'count', 'right again after, median s', 'worst s']),
    ...kinds.map(([kind, of]) => {
      const times = of.map(({ backMs }) => backMs)
      return row([kind, of.length, seconds(percentile(times, 0.5)), seconds(percentile(times, 1))])
    }),
    row(['all', faults.length, '', seconds(Math.max(0, ...faults.map(({ backMs }) => backMs)))]),
    '',
    ...head([
      'seed',
      'faults',
      'orders',
      'vault rows',
      'deposits',
      'journeys',
      'events',
      'answers',
      'refused',
      'calls',
      'ended by itself',
      'differences',
    ]),
    ...reports.map(({ seed, quiet, answers, statuses, ...report }) =>
      row([
        seed,
        report.faults.length,
        report.orders,
        quiet.vaultRows,
        quiet.deposits,
        journeysOf(quiet.journeys),
        quiet.events,
        answers.answers,
        answers.refused,
        Object.values(statuses).reduce((sum, count) => sum + count, 0),
        report.ownEnds,
        report.differences.length,
      ]),
    ),
    '',
    ...head([
      'seed',
      'process',
      'memory before, MB',
      'memory at the end',
      'handles before',
      'handles at the end',
    ]),
    ...reports.flatMap(({ seed, processes: { before, after } }) =>
      before.map(({ name, memoryMb, handles }, index) =>
        row([
          seed,
          name,
          memoryMb,
          after[index]?.memoryMb ?? 0,
          handles,
          after[index]?.handles ?? 0,
        ]),
      ),
    ),
    ...missing.map((line) => `not tried: ${line}`),
  ].join('\n')
}

function journeysOf({ journeys, endings }: ChaosReport['quiet']['journeys']): string {
  const each = Object.entries(endings)
    .sort()
    .map(([status, count]) => `${count} ${status}`)
  return each.length > 0 ? `${journeys}: ${each.join(', ')}` : String(journeys)
}
