import { expect, test } from 'vitest'
import { contractLogs } from '../../../test/fixtures/contractLogs.ts'
import { withdrawalStatus } from './withdrawalStatus.ts'

test('default: every state of the queue has the status of the table', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(withdrawalStatus)).toEqual([
    null,
    'PENDING',
    'COMPLETE',
    'COMPLETE',
    'PENDING_REFUND',
    'REFUNDED',
    'REFUNDED',
    'REFUNDED',
  ])
})

test('behavior: the orders recorded from the deployed queues end as their names say', () => {
  expect(contractLogs.withdrawOrders).toHaveLength(19)
  for (const { getOrderStatus, name } of contractLogs.withdrawOrders) {
    const folded = withdrawalStatus(getOrderStatus)
    if (folded === 'REFUNDED') expect(name).toMatch(/REFUND/)
    else expect(name.startsWith(String(folded))).toBe(true)
  }
})

test('error: a number that no queue has', () => {
  expect(() => withdrawalStatus(8)).toThrow('Invariant')
})
