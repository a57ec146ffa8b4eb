import { describe, expect, test } from 'vitest'
import { RETRY_SECONDS, retryDelaySeconds } from './retrySchedule.ts'

const plain = { retryAfterSeconds: null, chance: 0 }
const ELEVEN = [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400, 86_400]

describe('retryDelaySeconds', () => {
  test('default: eleven retries, then none', () => {
    const delays = Array.from({ length: 12 }, (_, index) => retryDelaySeconds(index + 1, plain))
    expect(delays).toEqual([...ELEVEN, null])
  })

  test('behavior: without any jitter the last attempt is 72 hours after the first, or later', () => {
    expect(RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(72 * 3_600)
  })

  test('behavior: jitter only adds, up to a fifth', () => {
    expect(retryDelaySeconds(2, { ...plain, chance: 1 })).toBe(36)
  })

  test('behavior: Retry-After is heard, up to an hour, and never shortens', () => {
    expect(retryDelaySeconds(1, { ...plain, retryAfterSeconds: 90 })).toBe(90)
    expect(retryDelaySeconds(1, { ...plain, retryAfterSeconds: 1e9 })).toBe(3_600)
    expect(retryDelaySeconds(4, { ...plain, retryAfterSeconds: 1 })).toBe(600)
    expect(retryDelaySeconds(12, { ...plain, retryAfterSeconds: 90 })).toBeNull()
  })
})
