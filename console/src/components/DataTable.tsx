import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useMemo, useRef } from 'react'
import { HeadCell } from './HeadCell.tsx'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The value by which the column is sorted; it cannot be sorted if left out. */
  sortBy?: (row: Row) => number | bigint | string
  isNumber?: boolean
}

type Props<Row> = {
  /** For screen readers. */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })
const ROW_PX = 44
/** More rows than these are drawn only where they are seen. */
const MOST_DRAWN = 100

/** Rows that can be sorted by their columns. Long lists draw only the rows in view. */
export function DataTable<Row extends object>({ label, rows, columns, keyOf }: Props<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return helper.columns(
      columns.map(({ id, header, sortBy }) =>
        helper.accessor((row) => sortBy?.(row) ?? '', {
          id,
          header,
          enableSorting: sortBy !== undefined,
          sortFn: (one, other) => compare(one.getValue(id), other.getValue(id)),
        }),
      ),
    )
  }, [columns])
  const table = useTable({ features, columns: definitions, data: rows, getRowId: keyOf })
  const sorted = table.getRowModel().rows
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    enabled: sorted.length > MOST_DRAWN,
  })
  const items = sorted.length > MOST_DRAWN ? virtual.getVirtualItems() : null
  const shown = items ? items.flatMap(({ index }) => sorted[index] ?? []) : sorted
  const before = items?.[0]?.start ?? 0
  const after = items ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, a frame scrolls only when it has the focus.
    <section className="table-frame" ref={frame} aria-label={label} tabIndex={0}>
      <table aria-rowcount={sorted.length + 1}>
        <thead>
          <tr>
            {table.getFlatHeaders().map((header, at) => (
              <HeadCell
                key={header.id}
                name={columns[at]?.header ?? ''}
                isNumber={columns[at]?.isNumber ?? false}
                sorted={header.column.getIsSorted()}
                onSort={header.column.getCanSort() ? header.column.getToggleSortingHandler() : null}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={before} columns={columns.length} />
          {shown.map(({ id, original }) => (
            <BodyRow key={id} row={original} columns={columns} />
          ))}
          <Gap height={after} columns={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

type RowProps<Row> = { row: Row; columns: readonly Column<Row>[] }

function DrawnRow<Row>({ row, columns }: RowProps<Row>) {
  return (
    <tr>
      {columns.map(({ id, cell, isNumber }) => (
        <td key={id} className={isNumber ? 'right' : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** While a list scrolls, only the rows that come into view are drawn. Cast, because `memo` loses the type parameter. */
const BodyRow = memo(DrawnRow) as typeof DrawnRow

/** Stands for the rows that are not drawn. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
}

function compare(one: unknown, other: unknown): number {
  // A column's values are of one type, so `<` compares them.
  const [a, b] = [one as string, other as string]
  return a < b ? -1 : Number(a > b)
}
