import { printableCell } from './printable.ts'

type Cell = string | number | boolean | Date | string[] | null
export type TableRow = Record<string, Cell>

/** Rows under their column names, padded; `nothing` stands for no rows. */
export function formatTable(rows: TableRow[], nothing: string): string {
  const [first] = rows
  if (!first) return nothing
  const cells = [Object.keys(first), ...rows.map((row) => Object.values(row).map(formatCell))]
  const widths = Object.keys(first).map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  )
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function formatCell(value: Cell): string {
  if (value === null) return '-'
  return value instanceof Date ? value.toISOString() : printableCell(String(value))
}
