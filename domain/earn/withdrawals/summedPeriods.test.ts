import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_SECONDS, HOUR_SECONDS, partsOf } from './summedPeriods.ts'

describe('partsOf', () => {
  test('default: days, the hours beside them, and the ends that cut hours', () => {
    const time = { after: 10 * HOUR_SECONDS + 7, until: 3 * DAY_SECONDS + 2 * HOUR_SECONDS + 9 }
    expect(partsOf(time, true)).toEqual({
      summed: [
        { seconds: DAY_SECONDS, after: DAY_SECONDS, until: 3 * DAY_SECONDS },
        { seconds: HOUR_SECONDS, after: 11 * HOUR_SECONDS, until: DAY_SECONDS },
        {
          seconds: HOUR_SECONDS,
          after: 3 * DAY_SECONDS,
          until: 3 * DAY_SECONDS + 2 * HOUR_SECONDS,
        },
      ],
      single: [
        { after: 10 * HOUR_SECONDS + 7, until: 11 * HOUR_SECONDS },
        { after: 3 * DAY_SECONDS + 2 * HOUR_SECONDS, until: time.until },
      ],
    })
  })

  test('behavior: every moment is in one part, every summed part is whole', () => {
    const moment = fc.integer({ min: 0, max: 5 * DAY_SECONDS })
    fc.assert(
      fc.property(moment, moment, fc.boolean(), (one, other, ofDays) => {
        const [after, until] = one < other ? [one, other] : [other, one]
        const { summed, single } = partsOf({ after, until }, ofDays)
        const parts = [...summed, ...single].filter((part) => part.until !== part.after)
        parts.sort((a, b) => a.after - b.after)
        expect(parts.every((part) => part.until > part.after)).toBe(true)
        const edges = parts.flatMap((part) => [part.after, part.until])
        expect(edges).toEqual(after === until ? [] : [after, ...edges.slice(1, -1), until])
        for (const [index, part] of parts.entries())
          if (index > 0) expect(part.after).toBe(parts[index - 1]?.until)
        for (const { seconds, after, until } of summed)
          if (after !== until) expect([after % seconds, until % seconds]).toEqual([0, 0])
        if (until - after >= 2 * DAY_SECONDS)
          expect(summed.some(({ seconds }) => seconds === DAY_SECONDS)).toBe(ofDays)
      }),
    )
  })
})
