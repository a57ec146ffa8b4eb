import { expect, test } from 'vitest'
import type { Order } from './orderStatus.ts'
import { timelineEntries } from './timelineEntries.ts'

function order(status: Order['status'], steps: Order['timeline'][number]['step'][]) {
  const timeline = steps.map((step) => ({ step }))
  // Cast, because a whole order has twenty more fields, and none of them is read here.
  return { status, timeline } as unknown as Order
}
const titles = (given: Order) => timelineEntries(given).map(({ title, step }) => [title, !!step])

test('default: what is still to come stands after what was made', () => {
  expect(titles(order('PENDING_BRIDGE', ['SUBMITTED', 'BRIDGED']))).toEqual([
    ['Submitted', true],
    ['Sent over the bridge', true],
    ['Received', false],
    ['Paid in full', false],
  ])
})

test.each([
  ['REMOVED', ['SUBMITTED', 'RECEIVED', 'REMOVED']],
  ['REMOVED', ['SUBMITTED', 'TOMBSTONED']],
  ['PROCESSED', ['SUBMITTED', 'RECEIVED', 'EXECUTED', 'PROCESSED']],
] as const)('behavior: nothing is expected of an order that is %s', (status, steps) => {
  expect(titles(order(status, [...steps])).every(([, isMade]) => isMade)).toBe(true)
})
