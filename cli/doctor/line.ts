/** One line of the doctor's report. */
export type Line = {
  level: 'ok' | 'warning' | 'error'
  /** The checked part, as in `database` or `node of chain 1`. */
  check: string
  message: string
  /** The mend; null where all is well. */
  advice: string | null
}

/** The lines of one check. */
export function lines(check: string) {
  const line = (level: Line['level']) => (message: string, advice: string) => [
    { level, check, message, advice } satisfies Line,
  ]
  return {
    ok: (message: string): Line[] => [{ level: 'ok', check, message, advice: null }],
    /** The service works, but worse than it could, or not for long. */
    warning: line('warning'),
    /** A part of the service does not work. */
    error: line('error'),
  }
}

/** A problem of a variable, `NAME: what is wrong. What to do.`, as a line. */
export function problemLine(check: string, problem: string): Line {
  const end = problem.search(/\.\s/)
  if (end < 0) return { level: 'error', check, message: problem, advice: 'Correct it.' }
  return {
    level: 'error',
    check,
    message: problem.slice(0, end),
    advice: problem.slice(end + 1).trim(),
  }
}
