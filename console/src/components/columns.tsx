import type { TokenMap } from '../api/tokens.ts'
import { ChainName } from '../chains/ChainName.tsx'
import type { Column } from './DataTable.tsx'
import { Time } from './Time.tsx'
import { TokenAmount } from './TokenAmount.tsx'

/** The id and the heading of a column. */
type Head = { id: string; header: string }

/** A column of chains. */
export function chainColumn<Row>(head: Head, chainOf: (row: Row) => number): Column<Row> {
  return { ...head, cell: (row) => <ChainName chainId={chainOf(row)} /> }
}

/** A column of times, by which rows are sorted. */
export function timeColumn<Row>(head: Head, timeOf: (row: Row) => Date): Column<Row> {
  return {
    ...head,
    sortBy: (row) => timeOf(row).getTime(),
    cell: (row) => <Time time={timeOf(row)} />,
  }
}

type Held = { amount: bigint | null | undefined; chainId: number; token: string | null | undefined }

/** A column of amounts of tokens, each of which has its own. */
export function amountColumn<Row extends { tokens: TokenMap }>(
  head: Head,
  held: (row: Row) => Held,
): Column<Row> {
  return {
    ...head,
    isNumber: true,
    cell: (row) => {
      const { amount, chainId, token } = held(row)
      if (amount === null || amount === undefined || !token) return '–'
      return <TokenAmount amount={amount} tokens={row.tokens} chainId={chainId} token={token} />
    },
  }
}
