import 'uplot/dist/uPlot.min.css'
import { useEffect, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import { THEME_CHANGED } from '../app/theme.ts'
import { formatDay } from '../format/formatTime.ts'
import { Button } from './Button.tsx'
import { chartOptions } from './chartOptions.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { Time } from './Time.tsx'

/** A value of a series. */
export type Point = { time: Date; value: number }

type Props = {
  /** The quantity, for screen readers and the table. */
  name: string
  points: readonly Point[]
  /** With its unit. */
  format: (value: number) => string
  kind?: 'line' | 'bars'
  /** Whether a point is an hour or a day. */
  isHourly?: boolean
  /** Whether its values are whole numbers. */
  isCount?: boolean
}

const HEIGHT_PX = 220

/** A quantity over time, as a drawing or as a table of the same points. */
export function Chart({
  name,
  points,
  format,
  kind = 'line',
  isHourly = false,
  isCount = false,
}: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [isTable, setTable] = useState(false)
  const id = useId()
  useEffect(() => {
    const element = frame.current
    if (!element || isTable) return
    const data: uPlot.AlignedData = [
      points.map(({ time }) => time.getTime() / 1_000),
      points.map(({ value }) => value),
    ]
    const formatTime = (time: Date) => formatDay(time, isHourly)
    let plot: uPlot | null = null
    const draw = () => {
      plot?.destroy()
      const size = { width: element.clientWidth, height: HEIGHT_PX }
      const options = chartOptions(element, { ...size, name, format, formatTime, kind, isCount })
      plot = new uPlot(options, data, element)
    }
    draw()
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth
      // It also reports the first size, which is drawn already.
      if (plot && plot.width !== width) plot.setSize({ width, height: HEIGHT_PX })
    })
    resized.observe(element)
    addEventListener(THEME_CHANGED, draw)
    return () => {
      resized.disconnect()
      removeEventListener(THEME_CHANGED, draw)
      plot?.destroy()
    }
  }, [points, name, format, kind, isHourly, isCount, isTable])
  const last = points.at(-1)
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id} className="hidden">
        {name}, {points.length} points{last ? `, last ${format(last.value)}` : ''}
      </figcaption>
      {isTable ? (
        <ChartTable name={name} points={points} format={format} isHourly={isHourly} />
      ) : (
        <div ref={frame} className="chart-frame" aria-hidden="true" />
      )}
      <Button isSmall aria-pressed={isTable} onClick={() => setTable(!isTable)}>
        {isTable ? 'Show as a chart' : 'Show as a table'}
      </Button>
    </figure>
  )
}

type ChartTableProps = Pick<Props, 'name' | 'points' | 'format'> & { isHourly: boolean }

/** The points of a chart in words, newest first. */
function ChartTable({ name, points, format, isHourly }: ChartTableProps) {
  const columns: readonly Column<Point>[] = [
    {
      header: 'Time',
      sortBy: ({ time }) => time.getTime(),
      cell: ({ time }) => (isHourly ? <Time time={time} /> : formatDay(time)),
    },
    {
      header: name,
      isNumber: true,
      sortBy: ({ value }) => value,
      cell: ({ value }) => format(value),
    },
  ]
  return (
    <DataTable
      label={name}
      rows={points.toReversed()}
      columns={columns}
      keyOf={({ time }) => time.toISOString()}
    />
  )
}
