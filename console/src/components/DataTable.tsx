import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import {
  lazy,
  memo,
  type ReactNode,
  type RefCallback,
  Suspense,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'

/** Browsers forget what a table is where its parts are not laid out as one, as in a narrow window. */
const TABLE_ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

export type Column<Row> = {
  /** Unique in its table. */
  header: string
  cell: (row: Row) => ReactNode
  /** The value by which the column is sorted; it cannot be sorted if left out. */
  sortBy?: (row: Row) => number | bigint | string
  isNumber?: boolean
}

// The first page has short tables alone.
const LongRows = lazy(async () => ({ default: (await import('./LongRows.tsx')).LongRows }))

type Props<Row> = {
  /** For screen readers. */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })
const ROW_PX = 44
const LINE_PX = 28
/** More rows than these are drawn only where they are seen. */
const MOST_DRAWN = 100

/** In a narrow window each row becomes lines of label and value, unless it has no more columns than these. */
const MOST_BESIDE = 2
/** Rows that can be sorted by their columns. Long lists draw only the rows in view. */
export function DataTable<Row extends object>({ label, rows, columns, keyOf }: Props<Row>) {
  const frame = useRef<HTMLDivElement>(null)
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return helper.columns(
      columns.map(({ sortBy }, at) =>
        helper.accessor((row) => sortBy?.(row) ?? '', {
          id: String(at),
          enableSorting: sortBy !== undefined,
          sortFn: (one, other) => compare(one.getValue(String(at)), other.getValue(String(at))),
        }),
      ),
    )
  }, [columns])
  const table = useTable({ features, columns: definitions, data: rows, getRowId: keyOf })
  const sorted = table.getRowModel().rows
  const isLong = sorted.length > MOST_DRAWN
  const isStacked = useNarrow() && columns.length > MOST_BESIDE
  const draw = (index: number, ref?: RefCallback<HTMLTableRowElement>) => {
    const row = sorted[index]
    return (
      row && (
        <BodyRow key={row.id} row={row.original} index={index} columns={columns} measure={ref} />
      )
    )
  }
  const first = sorted.slice(0, MOST_DRAWN).map((_, index) => draw(index))
  const frameClass = `table-frame${isStacked ? ' stacked' : ''}${isLong ? ' long' : ''}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, a frame scrolls only when it has the focus.
    <section className={frameClass} ref={frame} aria-label={label} tabIndex={0}>
      <table {...TABLE_ROLES.table} aria-rowcount={sorted.length + 1}>
        <thead {...TABLE_ROLES.group}>
          <tr {...TABLE_ROLES.row} aria-rowindex={1}>
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
        <tbody {...TABLE_ROLES.group}>
          {isLong ? (
            <Suspense fallback={first}>
              <LongRows
                frame={frame}
                count={sorted.length}
                columns={columns.length}
                rowPx={isStacked ? columns.length * LINE_PX : ROW_PX}
                isMeasured={isStacked}
                draw={draw}
              />
            </Suspense>
          ) : (
            first
          )}
        </tbody>
      </table>
    </section>
  )
}

type RowProps<Row> = {
  row: Row
  /** Its place in the list, from 0. */
  index: number
  columns: readonly Column<Row>[]
  /** Takes the element of a row whose height is not known before. */
  measure: RefCallback<HTMLTableRowElement> | undefined
}

function DrawnRow<Row>({ row, index, columns, measure }: RowProps<Row>) {
  return (
    <tr {...TABLE_ROLES.row} aria-rowindex={index + 2} data-index={index} ref={measure}>
      {columns.map(({ header, cell, isNumber }) => (
        <td
          key={header}
          {...TABLE_ROLES.cell}
          data-label={header}
          className={isNumber ? 'right' : undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** While a list scrolls, only the rows that come into view are drawn. Cast, because `memo` loses the type parameter. */
const BodyRow = memo(DrawnRow) as typeof DrawnRow

function compare(one: unknown, other: unknown): number {
  // A column's values are of one type, so `<` compares them.
  const [a, b] = [one as string, other as string]
  return a < b ? -1 : Number(a > b)
}

type HeadCellProps = {
  name: string
  isNumber: boolean
  sorted: false | 'asc' | 'desc'
  /** Null where the column cannot be sorted. */
  onSort: ((event: unknown) => void) | null | undefined
}

const ORDER = { asc: 'ascending', desc: 'descending' } as const

function HeadCell({ name, isNumber, sorted, onSort }: HeadCellProps) {
  return (
    <th
      scope="col"
      {...TABLE_ROLES.head}
      className={isNumber ? 'right' : undefined}
      aria-sort={sorted ? ORDER[sorted] : undefined}
    >
      {onSort ? (
        <button type="button" className="sort" onClick={onSort}>
          {name}
          {sorted && <span aria-hidden="true">{sorted === 'asc' ? '↑' : '↓'}</span>}
        </button>
      ) : (
        name
      )}
    </th>
  )
}

const narrow = matchMedia('(max-width: 760px)')

function subscribe(onChange: () => void) {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}

/** Whether the window is too narrow for columns. */
function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
