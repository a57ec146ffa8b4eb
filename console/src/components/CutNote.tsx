import { formatCount } from '../format/formatNumber.ts'

/** The end of a table whose list has more rows than were read. */
export function CutNote({ hasMore, count }: { hasMore: boolean; count: number }) {
  if (!hasMore) return null
  return <p className="table-foot">Only the first {formatCount(count)} are shown.</p>
}
