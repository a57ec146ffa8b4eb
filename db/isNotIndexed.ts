import { NOT_INDEXED_STATE } from './readViews/notIndexedFunction.ts'

/**
 * Whether a query failed because the index lacks a table: no build is served yet, or the served build of
 * a chain is older than the table.
 */
export function isNotIndexed(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  const { code, message } = error
  return (
    code === NOT_INDEXED_STATE ||
    (code === '42P01' && /relation "read\./.test(message)) ||
    (code === '42883' && /function read\./.test(message))
  )
}
