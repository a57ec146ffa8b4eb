import { formatDay } from '../format/formatTime.ts'
import { type Column, DataTable } from './DataTable.tsx'
import type { Point } from './point.ts'
import { Time } from './Time.tsx'

type Props = {
  name: string
  points: readonly Point[]
  format: (value: number) => string
  isHourly: boolean
}

/** The points of a chart in words, newest first. */
export function ChartTable({ name, points, format, isHourly }: Props) {
  const columns: readonly Column<Point>[] = [
    {
      id: 'time',
      header: 'Time',
      sortBy: ({ time }) => time.getTime(),
      cell: ({ time }) => (isHourly ? <Time time={time} /> : formatDay(time)),
    },
    {
      id: 'value',
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
