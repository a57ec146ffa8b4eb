import uPlot from 'uplot'
import { formatCompact } from '../format/formatNumber.ts'

type Given = {
  name: string
  width: number
  height: number
  format: (value: number) => string
  formatTime: (time: Date) => string
  kind: 'line' | 'bars'
  /** Whether its values are whole numbers. */
  isCount: boolean
}

/** The distances between two lines of an axis of counts: 1, 2, 5, 10 and so on. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()
const FONT = '12px "Inter Variable", system-ui, sans-serif'

/** How a chart is drawn, in the colours of the theme. A canvas knows no CSS, so they are read from the element. */
export function chartOptions(element: HTMLElement, given: Given): uPlot.Options {
  const line = colorOf(element, '--chart')
  const fill = colorOf(element, '--chart-soft')
  const grid = colorOf(element, '--line')
  const text = colorOf(element, '--muted')
  const axis = { stroke: text, font: FONT, ticks: { show: false } }
  const bars = given.kind === 'bars' ? uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.2 }) : null
  return {
    width: given.width,
    height: given.height,
    padding: [12, 36, 0, 0],
    legend: { show: true, live: true },
    cursor: { y: false, points: { size: 7 } },
    scales: {
      // Half of the first and of the last bar would be outside.
      x: { range: (plot, min, max) => timeRangeOf(given.kind, plot.data[0], [min, max]) },
      // A flat line stays in the middle; sums start at zero.
      y: { range: (_, min, max) => rangeOf(given.kind, min, max) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 110,
        values: (_, seconds) => seconds.map((second) => given.formatTime(new Date(second * 1_000))),
      },
      {
        ...axis,
        grid: { stroke: grid, width: 1 },
        size: 58,
        values: (_, values) => values.map(formatCompact),
        ...(given.isCount ? { incrs: WHOLE_STEPS } : {}),
      },
    ],
    series: [
      {
        label: 'Time',
        value: (_, second) => (second === null ? '–' : given.formatTime(new Date(second * 1_000))),
      },
      {
        label: given.name,
        stroke: line,
        fill: given.kind === 'bars' ? line : fill,
        // The outline of a bar without a height would be a dash.
        width: given.kind === 'bars' ? 0 : 2,
        points: { show: false },
        value: (_, value) => (value === null ? '–' : given.format(value)),
        ...(bars ? { paths: bars } : {}),
      },
    ],
  }
}

function colorOf(element: HTMLElement, variable: string): string {
  element.style.color = `var(${variable})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

function timeRangeOf(
  kind: Given['kind'],
  times: ArrayLike<number>,
  [min, max]: [number, number],
): [number, number] {
  const half = kind === 'bars' ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 : 0
  return [min - half, max + half]
}

function rangeOf(kind: Given['kind'], min: number, max: number): [number, number] {
  if (kind === 'bars') return [0, max > 0 ? max * 1.1 : 1]
  const room = (max - min || Math.abs(max) || 1) * 0.12
  return [min - room, max + room]
}
