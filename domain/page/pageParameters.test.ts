import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pageParameters } from './pageParameters.ts'

const schema = z.object(pageParameters)

describe('pageParameters', () => {
  test('default', () => {
    expect(schema.parse({})).toEqual({ pageSize: 25 })
  })

  test.each([1, 100, '1', '25', '100'])('behavior: accepts pageSize %j', (pageSize) => {
    expect(schema.parse({ pageSize, pageToken: 'x' })).toEqual({
      pageSize: Number(pageSize),
      pageToken: 'x',
    })
  })

  test.each([
    0,
    -1,
    101,
    1.5,
    Number.NaN,
    '0',
    '-1',
    '101',
    '1.5',
    '1e1',
    '0x10',
    '',
    ' 5',
    'ten',
    true,
    null,
    ['5'],
  ])('error: pageSize %j', (pageSize) => {
    const result = schema.safeParse({ pageSize })
    expect(result.error?.issues).toMatchObject([
      { path: ['pageSize'], message: 'expected an integer from 1 to 100' },
    ])
  })
})
