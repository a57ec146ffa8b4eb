import { describe, expect, test } from 'vitest'
import { pageSizeParam } from './pageParameters.ts'

describe('pageSizeParam', () => {
  test.each([1, 25, 100])('default: accepts %j', (pageSize) => {
    expect(pageSizeParam.parse(pageSize)).toBe(pageSize)
  })

  test.each([0, -1, 101, 1.5, Number.NaN, '25', '', true, null, [5]])('error: %j', (pageSize) => {
    expect(pageSizeParam.safeParse(pageSize).error?.issues).toMatchObject([
      { message: 'expected an integer from 1 to 100' },
    ])
  })
})
