/** Before a first build serves, and for a new table until the build that has it does. */
export function isReadViewMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ((error.code === '42P01' && /relation "read\./.test(error.message)) ||
      (error.code === '42883' && /function read\./.test(error.message)))
  )
}
