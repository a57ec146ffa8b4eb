import { MOST_ROWS } from '../api/readAll.ts'
import { formatCount } from '../format/formatNumber.ts'

/** The end of a table whose list has more rows than were read. */
export function CutNote({ isCut }: { isCut: boolean }) {
  if (!isCut) return null
  return <p className="table-foot">Only the first {formatCount(MOST_ROWS)} are shown.</p>
}
