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
  // Cast, because which fields an order has does not depend on their values.
  const submission = { offerAmount: '1', blockTimestamp: 1n, deadline: 1n } as unknown as Submission
  const sides: JoinedSides = {
    sourceChainId: 1,
    destinationChainId: 4663,
    submission,
    delivery: null,
    tombstone: null,
  }
  const names = Object.keys(toTransitOrder(sides, [], 6)).map((name) => RENAMED[name] ?? name)
  const type = schema.getType('TransitOrder')
  const answered = type && 'getFields' in type ? Object.keys(type.getFields()) : []
  expect(names).toContain('orderExecuteds')
  expect(names.filter((name) => !answered.includes(name))).toEqual([])
})
