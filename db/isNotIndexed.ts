import { NOT_INDEXED_STATE } from './readViews/notIndexedFunction.ts'

/** Before a first build serves, and for a new table until a chain's build that has it does. */
export function isNotIndexed(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  const { code, message } = error
  return (
    code === NOT_INDEXED_STATE ||
    (code === '42P01' && /relation "read\./.test(message)) ||
    (code === '42883' && /function read\./.test(message))
  )
}
