import type { TokenMap } from '../api/tokens.ts'
import { ChainName } from '../chains/ChainName.tsx'
import { formatCount } from '../format/formatNumber.ts'
import type { Column } from './DataTable.tsx'
import { Time } from './Time.tsx'
import { type Held, TokenAmount } from './TokenAmount.tsx'

/** A column of chains. */
export function chainColumn<Row>(header: string, chainOf: (row: Row) => number): Column<Row> {
  return { header, cell: (row) => <ChainName chainId={chainOf(row)} /> }
}

/** A column of times, by which rows are sorted. */
export function timeColumn<Row>(header: string, timeOf: (row: Row) => Date): Column<Row> {
  return {
    header,
    sortBy: (row) => timeOf(row).getTime(),
    cell: (row) => <Time time={timeOf(row)} />,
  }
}

/** A column of counts, by which rows are sorted. */
export function countColumn<Row>(header: string, countOf: (row: Row) => number): Column<Row> {
  return { header, isNumber: true, sortBy: countOf, cell: (row) => formatCount(countOf(row)) }
}

/** A column of amounts of tokens, each of which has its own. */
export function amountColumn<Row extends { tokens: TokenMap }>(
  header: string,
  held: (row: Row) => Held,
): Column<Row> {
  const cell = (row: Row) => <TokenAmount {...held(row)} tokens={row.tokens} />
  return { header, isNumber: true, cell }
}
