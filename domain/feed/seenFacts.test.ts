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

const received = (blockNumber = 5n) =>
  occurrence({
    chainId: 2,
    blockNumber,
    transactionHash: '0x02',
    types: ['transit.order.received'],
    after: { chainId: 1, blockNumber: 10n },
  })

function seen(of: Occurrence, changes: Partial<SeenFact> = {}): SeenFact {
  return { ...of, eventIds: [], times: 1, isRetracted: false, ...changes }
}

function compare(occurrences: Occurrence[], facts: SeenFact[] = [], cursor = 0n) {
  const cursors = new Map([1, 2].map((chainId) => [chainId, cursor]))
  const { arrived, early, missing } = compareFacts({
    occurrences,
    seen: facts,
    cursors,
    chainIds: [1, 2],
  })
  return {
    arrived: arrived.map(({ types, times }) => `${types[0]}:${times}`),
    early: early.map(({ types }) => types[0]),
    missing: missing.map(placeKey),
  }
}

describe('compareFacts', () => {
  test('default: new occurrences, submissions first', () => {
    expect(compare([received(), occurrence()])).toEqual({
      arrived: ['transit.order.submitted:1', 'transit.order.received:1'],
      early: [],
      missing: [],
    })
  })

  test('behavior: a seen fact is not new', () => {
    expect(compare([occurrence()], [seen(occurrence())]).arrived).toEqual([])
  })

  test('behavior: an event on the destination waits for its submission', () => {
    expect(compare([received()])).toEqual({
      arrived: [],
      early: ['transit.order.received'],
      missing: [],
    })
    expect(compare([received()], [seen(occurrence())]).arrived).toHaveLength(1)
    // A final submission has no stored fact.
    expect(compare([received(11n)], [], 10n).arrived).toHaveLength(1)
    const retracted = seen(occurrence(), { isRetracted: true })
    expect(compare([received()], [retracted]).early).toHaveLength(1)
  })

  test('behavior: what is there no more is missing, in another block it is new as well', () => {
    const moved = occurrence({ blockHash: '0x0b' as Hex })
    const { arrived, missing } = compare([moved], [seen(occurrence())])
    expect([arrived, missing]).toEqual([['transit.order.submitted:1'], [placeKey(occurrence())]])
  })

  test('behavior: a retracted fact that comes again is new, and counted', () => {
    const retracted = seen(occurrence(), { isRetracted: true })
    expect(compare([occurrence()], [retracted]).arrived).toEqual(['transit.order.submitted:2'])
    expect(compare([], [retracted]).missing).toEqual([])
  })
})
