import { expect, test } from 'vitest'
import type { JoinedSides, Submission } from '../../../domain/transit/orders/joinSides.ts'
import { toTransitOrder } from '../../../domain/transit/orders/toTransitOrder.ts'
import { schema } from '../../schema.ts'

/** Answered under another name. */
const RENAMED: Record<string, string> = {
  executions: 'orderExecuteds',
  removals: 'orderForceRemoveds',
}

test('each field of an order is answered', () => {
  const sides: JoinedSides = {
    sourceChainId: 1,
    destinationChainId: 4663,
    // Cast, because an order has the same fields whatever their values are.
    submission: { offerAmount: '1', blockTimestamp: '1' } as Submission,
    delivery: null,
    tombstone: null,
  }
  const names = Object.keys(toTransitOrder(sides, [], 6)).map((name) => RENAMED[name] ?? name)
  const type = schema.getType('TransitOrder')
  const answered = type && 'getFields' in type ? Object.keys(type.getFields()) : []
  expect(names).toContain('orderExecuteds')
  expect(names.filter((name) => !answered.includes(name))).toEqual([])
})
