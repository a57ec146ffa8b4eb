import { type BenchCase, type Figure, holds, type Measure, median } from './figure.ts'

const TITLES: Record<Measure, string> = {
  perSecond: 'requests a second',
  cpuMicros: 'CPU of a request, µs',
  ratio: 'ratio',
  p50: 'p50, ms',
  p99: 'p99, ms',
  megabytes: 'MB',
}
const MEASURES = ['perSecond', 'cpuMicros', 'ratio', 'p50', 'p99', 'megabytes'] as const

/** One table in Markdown per group. A value is a median, with the least and the greatest of several rounds. */
export function figureTables(cases: BenchCase[]): string {
  const groups = Map.groupBy(cases, ({ group }) => group)
  return [...groups].map(([group, own]) => `### ${group}\n\n${tableOf(own)}`).join('\n\n')
}

/** One case in a line. */
export function caseLine({ name, figures, failure }: BenchCase): string {
  if (failure !== undefined) return `${name.padEnd(44)} FAILED: ${failure}`
  const parts = MEASURES.flatMap((measure) => {
    const figure = figures[measure]
    return figure ? [`${TITLES[measure]} ${cell(measure, figure)}`] : []
  })
  return `${name.padEnd(44)} ${parts.join('  ')}`
}

function tableOf(cases: BenchCase[]): string {
  const shown = MEASURES.filter((measure) => cases.some(({ figures }) => figures[measure]))
  const rows = cases.map(({ name, figures, failure }) => [
    failure === undefined ? name : `${name}: **not measured**`,
    ...shown.map((measure) => {
      const figure = figures[measure]
      return figure ? cell(measure, figure) : ''
    }),
  ])
  const header = ['case', ...shown.map((measure) => TITLES[measure])]
  return [header, header.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

function cell(measure: Measure, figure: Figure): string {
  const { values, least, most } = figure
  const show = (value: number) => format(measure, value)
  const spread =
    values.length > 1 ? ` (${show(Math.min(...values))} to ${show(Math.max(...values))})` : ''
  const bounds = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ]
  const asked =
    bounds.length > 0 ? `; ${bounds.join(', ')}: ${holds(figure) ? 'holds' : '**broken**'}` : ''
  return `${show(median(values))}${spread}${asked}`
}

function format(measure: Measure, value: number): string {
  if (measure === 'ratio') return value.toFixed(2)
  if (measure !== 'perSecond' && measure !== 'cpuMicros') return value.toFixed(1)
  return Math.round(value).toLocaleString('en-US')
}
