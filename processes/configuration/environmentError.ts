/** The configuration is wrong. Each problem is one line: the variable, what is wrong with it, and the mend. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError'
  readonly problems: string[]

  constructor(problems: string[]) {
    const lines = [...new Set(problems)]
    const list = lines.map((line) => `  ${line}`).join('\n')
    super(`Correct these variables (.env.example explains each):\n${list}`)
    this.problems = lines
  }
}

/**
 * Like `Promise.all`, but it waits for all parts. Throws one `EnvironmentError` with the problems of every
 * part, so that an operator sees all of them at once. Any other error comes first.
 */
export async function together<Parts extends readonly unknown[] | []>(
  parts: Parts,
): Promise<{ -readonly [Part in keyof Parts]: Awaited<Parts[Part]> }> {
  const outcomes = await Promise.allSettled(parts)
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  const problems = failures.flatMap((failure) => {
    if (failure instanceof EnvironmentError) return failure.problems
    throw failure
  })
  if (problems.length > 0) throw new EnvironmentError(problems)
  return Promise.all(parts)
}

/** The problems that `loading` ends with; none if it succeeds. Throws any other error. */
export async function problemsOf(loading: Promise<unknown>): Promise<string[]> {
  try {
    await loading
    return []
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems
    throw error
  }
}
