const COMMON = new Set(
  'a an and are as at by do does did for from how i in into is it its me my of on or that the there they this to was what when where which who why with you your'.split(
    ' ',
  ),
)

/** Words that every page has find nothing. */
export function processTerm(term: string): string | null {
  const word = term.toLowerCase()
  return COMMON.has(word) ? null : word
}
