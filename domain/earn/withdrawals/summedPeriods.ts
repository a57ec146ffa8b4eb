/** What the index sums up (`withdrawal_period`). */
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

/** After a moment, and until another one, which is in it. */
type Span = { after: number; until: number }

/**
 * What makes up a time, in Unix seconds: periods that the index has `summed`, whole days only where asked
 * for, and what it has only `single` facts of.
 */
export function partsOf(
  time: Span,
  ofDays: boolean,
): { summed: (Span & { seconds: number })[]; single: Span[] } {
  const hours = split(time, HOUR_SECONDS)
  const single = [hours.before, hours.after]
  if (!ofDays) return { summed: [{ ...hours.whole, seconds: HOUR_SECONDS }], single }
  const days = split(hours.whole, DAY_SECONDS)
  return {
    summed: [
      { ...days.whole, seconds: DAY_SECONDS },
      { ...days.before, seconds: HOUR_SECONDS },
      { ...days.after, seconds: HOUR_SECONDS },
    ],
    single,
  }
}

/** The whole periods in a time, and what is before and after them. */
function split(
  { after, until }: Span,
  seconds: number,
): Record<'before' | 'whole' | 'after', Span> {
  const first = Math.min(Math.ceil(after / seconds) * seconds, until)
  const last = Math.max(Math.floor(until / seconds) * seconds, first)
  return {
    before: { after, until: first },
    whole: { after: first, until: last },
    after: { after: last, until },
  }
}
