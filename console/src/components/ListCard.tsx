import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '../format/formatNumber.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CutNote } from './CutNote.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { Answered, type AnsweredQuery, Empty } from './states.tsx'

type Props<Row> = {
  title: string
  /** The name of the table for screen readers; the title if left out. */
  label?: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** The title of the state without rows. */
  none: string
  /** A hint for the user where there is no row. */
  advice?: ReactNode
  /** Controls at the right of the title. */
  actions?: ReactNode
  /** Drawn between the title and the rows. */
  children?: ReactNode
}

type WholeProps<Row> = Props<Row> & {
  query: AnsweredQuery<{ rows: readonly Row[]; hasMore: boolean }>
}

/** A list of the API as a table, in each of its states. */
export function ListCard<Row extends object>({ query, ...list }: WholeProps<Row>) {
  return (
    <Card title={list.title} actions={list.actions} isFlush>
      {list.children}
      <Answered query={query} rows={6}>
        {({ rows, hasMore }) => (
          <>
            <Rows {...list} rows={rows} />
            <CutNote hasMore={hasMore} count={rows.length} />
          </>
        )}
      </Answered>
    </Card>
  )
}

type PagedProps<Row> = Props<Row> & {
  query: UseInfiniteQueryResult<readonly Row[]>
  /** The rows in plural. */
  noun: string
}

/** A list of the API that is read page by page. A page without a row may have others after it. */
export function PagedCard<Row extends object>({ query, noun, ...list }: PagedProps<Row>) {
  return (
    <Card title={list.title} actions={list.actions} isFlush>
      {list.children}
      <Answered query={query} rows={8}>
        {(rows) => (
          <>
            <Rows {...list} rows={rows} />
            {(rows.length > 0 || query.hasNextPage) && (
              <MoreFoot noun={noun} count={rows.length} query={query} />
            )}
          </>
        )}
      </Answered>
    </Card>
  )
}

type RowsProps<Row> = Props<Row> & { rows: readonly Row[] }

function Rows<Row extends object>(props: RowsProps<Row>) {
  const { title, label = title, rows, columns, keyOf, none, advice } = props
  if (rows.length === 0) return <Empty title={none}>{advice}</Empty>
  return <DataTable label={label} rows={rows} columns={columns} keyOf={keyOf} />
}

type FootProps = {
  /** The rows in plural. */
  noun: string
  count: number
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The end of a table whose list is read page by page. */
function MoreFoot({ noun, count, query }: FootProps) {
  return (
    <div className="table-foot">
      <span>
        {formatCount(count)} {noun}
        {query.hasNextPage ? ', more to load' : ''}
      </span>
      {query.hasNextPage && (
        <Button
          isSmall
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </div>
  )
}
