import { expect, test } from 'vitest'
import { endpointParameters, NEW_ENDPOINT, selects, withType } from './endpointDraft.ts'

test('default: a group stands for its types', () => {
  const types = withType(['transit.order.removed', 'vault.paused'], 'transit.*', true)
  expect(types).toEqual(['vault.paused', 'transit.*'])
  expect(withType(types, '*', true)).toEqual(['*'])
  expect(withType(types, 'transit.*', false)).toEqual(['vault.paused'])
})

test('behavior: a pattern ends at a point', () => {
  expect([
    selects('transit.*', 'transit.order.removed'),
    selects('transit.*', 'transition'),
    selects('*', 'ping'),
    selects('ping', 'ping'),
  ]).toEqual([true, false, true, true])
})

test.each([
  ['own', null],
  ['all', ''],
  ['expression', 'vaultAddress = 0x12'],
] as const)('behavior: the filter of %s', (filterKind, filter) => {
  const draft = { ...NEW_ENDPOINT, filterKind, expression: 'vaultAddress = 0x12' }
  expect(endpointParameters(draft).filter).toBe(filter)
})
