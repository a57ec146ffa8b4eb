/** A Markdown table, without repeated rows; empty without rows. */
export function table(headings: string[], rows: (string | null | undefined)[][]): string {
  if (rows.length === 0) return ''
  const line = (cells: (string | null | undefined)[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [
    line(headings),
    `|${'---|'.repeat(headings.length)}`,
    ...new Set(rows.map(line)),
    '',
  ].join('\n')
}

function escaped(cell: string | null | undefined): string {
  return (cell ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ')
}
