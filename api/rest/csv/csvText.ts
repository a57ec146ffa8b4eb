import { stringify } from 'csv-stringify/sync'
import type { TokenMetadataMap } from '../../../domain/token/tokenMetadata.ts'
import { wholeUnits } from '../../../domain/token/wholeUnits.ts'
import type { CsvColumn, CsvList } from './csvList.ts'

type Row = Record<string, unknown>

const NEGATIVE = /^-\d+(\.\d+)?$/

/**
 * A spreadsheet runs a cell that begins like a formula. Some take blanks away before it, and some begin a cell at each
 * semicolon.
 */
const FORMULA = /(^|;)(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

const OPTIONS = {
  // RFC 4180: CRLF.
  record_delimiter: 'windows',
  // Also a line end of another kind, which readers of CSV take for one, and the separator of some.
  quoted_match: /[\r\n;]/,
  cast: {
    boolean: String,
    // The same JSON without a semicolon.
    object: (value: object) => JSON.stringify(value).replaceAll(';', '\\u003b'),
    // An apostrophe makes it text.
    string: (value: string) => (NEGATIVE.test(value) ? value : value.replace(FORMULA, "$1$2'")),
  },
} as const

/** The header of a table: a name for each column. An amount has two: base units, and whole tokens. */
export function csvHeader({ columns }: CsvList): string {
  return stringify([columns.flatMap(namesOf)], OPTIONS)
}

/** The names of the cells of a column. */
export function namesOf({ name, amountOf }: CsvColumn): string[] {
  return amountOf ? [name, `${name}.formatted`] : [name]
}

/** Rows as lines of a table. Amounts of tokens that `tokens` lacks have no whole tokens. */
export function csvRows({ columns }: CsvList, rows: Row[], tokens: TokenMetadataMap): string {
  const lines = rows.map((row) => columns.flatMap((column) => cellsOf(column, row, tokens)))
  return stringify(lines, OPTIONS)
}

function cellsOf({ path, amountOf }: CsvColumn, row: Row, tokens: TokenMetadataMap): unknown[] {
  const value = valueAt(row, path)
  if (!amountOf) return [value]
  const beside = (name: string) => valueAt(row, [...path.slice(0, -1), name])
  const token = tokens[`${beside(amountOf.chainId)}:${beside(amountOf.token)}`]
  const isKnown = token !== undefined && value !== null && value !== undefined
  return [value, isKnown ? wholeUnits(BigInt(String(value)), Number(token.decimals)) : null]
}

function valueAt(row: Row, path: string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row)
}
