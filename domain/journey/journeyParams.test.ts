import { expect, test } from 'vitest'
import { journeyViolations } from './journeyParams.ts'

test('error: more shares than any vault can have', () => {
  const from = {
    sourceChainId: 1,
    sourceAsset: '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3',
  } as const
  expect(journeyViolations({ ...from, wantShares: 2n ** 128n - 1n })).toEqual([])
  expect(journeyViolations({ ...from, wantShares: 2n ** 128n })).toEqual([
    { field: 'wantShares', description: 'expected less than 2^128' },
  ])
})
