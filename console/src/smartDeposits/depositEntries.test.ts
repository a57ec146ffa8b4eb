import { expect, test } from 'vitest'
import { depositEntries } from './depositEntries.ts'
import type { SmartDeposit } from './depositStatus.ts'

function deposit(
  status: SmartDeposit['status'],
  kinds: string[],
  { remediation, originAsset }: { remediation?: string; originAsset?: string } = {},
) {
  const timeline = kinds.map((kind, at) => ({
    id: String(at),
    type: `smart_deposit.deposit.${kind}`,
  }))
  // Entries read only these.
  return { status, timeline, remediation, originAsset } as unknown as SmartDeposit
}
const titles = (given: SmartDeposit) =>
  depositEntries(given).map(({ title, event }) => [title, event !== null])

test('default: what is still to come stands after what was recorded', () => {
  expect(titles(deposit('PENDING', ['pending']))).toEqual([
    ['Payment arrived', true],
    ['In the vault', false],
    ['Finalized', false],
  ])
  expect(titles(deposit('FINALIZED', ['pending', 'confirmed', 'finalized']))).toHaveLength(3)
})

test('behavior: what was paid in another token is sent on first', () => {
  const originAsset = '0x12'
  expect(titles(deposit('PENDING', ['pending'], { originAsset }))).toEqual([
    ['Payment arrived', true],
    ['Sent on by a Transit order', false],
    ['In the vault', false],
    ['Finalized', false],
  ])
  expect(titles(deposit('CONVERTING', ['pending', 'converting'], { originAsset }))).toEqual([
    ['Payment arrived', true],
    ['Sent on by a Transit order', true],
    ['In the vault', false],
    ['Finalized', false],
  ])
})

test.each([
  ['refunded', 'Refunded'],
  ['recovered', 'Recovered'],
  ['retained', 'Delayed'],
])('behavior: a deposit that is %s ends with where its money is', (remediation, title) => {
  expect(titles(deposit('FAILED', ['pending', 'failed'], { remediation }))).toEqual([
    ['Payment arrived', true],
    [title, true],
  ])
})

test('behavior: a payment that a reorganisation took back can arrive again', () => {
  const again = deposit('PENDING', ['pending', 'confirmed', 'reverted', 'pending'])
  expect(titles(again).slice(2)).toEqual([
    ['Taken back by a reorganisation', true],
    ['Payment arrived', true],
    ['In the vault', false],
    ['Finalized', false],
  ])
})
