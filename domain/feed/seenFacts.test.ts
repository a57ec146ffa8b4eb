import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Occurrence, placeKey } from './occurrence.ts'
import { compareFacts, type SeenFact } from './seenFacts.ts'

const NOBODY = { distributorCode: null, userAddresses: [], vaultAddress: null }

function occurrence(changes: Partial<Occurrence> = {}): Occurrence {
  return {
    chainId: 1,
    blockNumber: 10n,
    blockHash: '0x0a',
    transactionHash: '0x01',
    logIndex: 0,
    resource: 'transit_order:1',
    types: ['transit.order.submitted'],
    facts: NOBODY,
    fields: {},
    after: null,
    ...changes,
  }
}

const received = (after = occurrence()) =>
  occurrence({
    chainId: 2,
    blockNumber: 5n,
    transactionHash: '0x02',
    types: ['transit.order.received'],
    after,
  })

function seen(of: Occurrence, changes: Partial<SeenFact> = {}): SeenFact {
  return { ...of, eventIds: [], times: 1, isRetracted: false, ...changes }
}

function compare(occurrences: Occurrence[], facts: SeenFact[] = []) {
  const { fresh, missing } = compareFacts(occurrences, facts)
  return {
    fresh: fresh.map(({ types, times }) => `${types[0]}:${times}`),
    missing: missing.map(placeKey),
  }
}

describe('compareFacts', () => {
  test('default: new occurrences, submissions first', () => {
    expect(compare([received(), occurrence()])).toEqual({
      fresh: ['transit.order.submitted:1', 'transit.order.received:1'],
      missing: [],
    })
  })

  test('behavior: a seen fact is not new', () => {
    expect(compare([occurrence()], [seen(occurrence())]).fresh).toEqual([])
  })

  test('behavior: what is there no more is missing, in another block it is new as well', () => {
    const moved = occurrence({ blockHash: '0x0b' as Hex })
    const { fresh, missing } = compare([moved], [seen(occurrence())])
    expect([fresh, missing]).toEqual([['transit.order.submitted:1'], [placeKey(occurrence())]])
  })

  test('behavior: a retracted fact that comes again is new, and counted', () => {
    const retracted = seen(occurrence(), { isRetracted: true })
    expect(compare([occurrence()], [retracted]).fresh).toEqual(['transit.order.submitted:2'])
    expect(compare([], [retracted]).missing).toEqual([])
  })
})
