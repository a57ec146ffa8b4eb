import type { ReactNode } from 'react'
import { Card } from './Card.tsx'
import { CutNote } from './CutNote.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import { Answered, type AnsweredQuery, Empty } from './states.tsx'

type Props<Row> = {
  title: string
  query: AnsweredQuery<{ rows: readonly Row[]; hasMore: boolean }>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** The title of the state without rows. */
  none: string
  /** A hint for the user where there is no row. */
  advice?: ReactNode
  /** Controls at the right of the title. */
  actions?: ReactNode
  /** Filters between the title and the rows. */
  filters?: ReactNode
}

/** A list of the API as a table, in each of its states. */
export function ListCard<Row extends object>(props: Props<Row>) {
  const { title, query, columns, keyOf, none, advice, actions, filters } = props
  return (
    <Card title={title} actions={actions} isFlush>
      {filters && <div className="card-part">{filters}</div>}
      <Answered query={query} rows={6}>
        {({ rows, hasMore }) =>
          rows.length === 0 ? (
            <Empty title={none}>{advice}</Empty>
          ) : (
            <>
              <DataTable label={title} rows={rows} columns={columns} keyOf={keyOf} />
              <CutNote hasMore={hasMore} count={rows.length} />
            </>
          )
        }
      </Answered>
    </Card>
  )
}
