import { formatCount } from '../format/formatNumber.ts'
import { Button } from './Button.tsx'

type Props = {
  /** The rows in plural. */
  noun: string
  count: number
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The end of a table whose list is read page by page. */
export function MoreFoot({ noun, count, query }: Props) {
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
