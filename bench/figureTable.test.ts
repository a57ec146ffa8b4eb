import { expect, test } from 'vitest'
import { type BenchCase, caseHolds } from './figure.ts'
import { figureTables } from './figureTable.ts'

const over = (name: string, figures: BenchCase['figures']): BenchCase => ({
  group: 'Orders',
  name,
  figures,
})

test('default: a median with its spread, and what is asked of it', () => {
  const cases = [
    over('floor', { perSecond: { values: [900, 1_100, 1_000] } }),
    over('two rounds', { perSecond: { values: [900, 700] } }),
    over('ours', { perSecond: { values: [700] }, p99: { values: [7], most: 6 } }),
    over('ours to the floor', { ratio: { values: [0.7], least: 0.6 } }),
  ]
  expect(figureTables(cases).split('\n').slice(2)).toEqual([
    '| case | requests a second | ratio | p99, ms |',
    '| --- | --- | --- | --- |',
    '| floor | 1,000 (900 to 1,100) |  |  |',
    '| two rounds | 800 (700 to 900) |  |  |',
    '| ours | 700 |  | 7.0; at most 6: **broken** |',
    '| ours to the floor |  | 0.70; at least 0.6: holds |  |',
  ])
  expect(cases.map(caseHolds)).toEqual([true, true, false, true])
})

test('behavior: a case that failed does not hold', () => {
  const failed = { ...over('ours', {}), failure: '12 requests failed' }
  expect(caseHolds(failed)).toBe(false)
  expect(figureTables([failed])).toContain('| ours: **not measured** |')
})
