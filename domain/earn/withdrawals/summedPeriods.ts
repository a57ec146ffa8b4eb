/** The lengths of the periods that the index sums up (`withdrawal_period`). */
export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

/** A span of Unix seconds: `after` is exclusive, `until` inclusive. */
type Span = { after: number; until: number }

/**
 * Divides a span into whole periods that the index has `summed` (days only if asked for) and the rest, for
 * which it has only `single` facts.
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

/** The whole periods in a span, and the parts before and after them. */
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
