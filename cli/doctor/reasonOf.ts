const MOST_CHARACTERS = 200

/** The innermost cause of an error in one line, without URLs: a node's URL may have a key. */
export function reasonOf(error: unknown): string {
  const cause = innermost(error)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const message = cause instanceof Error ? cause.message : String(cause)
  const [line = ''] = (message || code || 'no reason was given').split('\n')
  return line.replaceAll(/\b(https?|wss?):\/\/\S+/g, '(URL)').slice(0, MOST_CHARACTERS)
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error
}
