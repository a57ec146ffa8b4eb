import { describe, expect, test } from 'vitest'
import { orderTimeline } from './orderTimeline.ts'

type Facts = Parameters<typeof orderTimeline>[0]

const at = (chainId: number, blockNumber: number, timestamp = blockNumber) => ({
  chainId,
  transactionHash: `0x${String(blockNumber).padStart(64, '0')}` as const,
  blockNumber,
  timestamp,
})
const guid = `0x${'9d'.repeat(32)}` as const
const paid = (blockNumber: number, amount: string, remaining: string) => ({
  ...at(4663, blockNumber),
  logIndex: 0,
  amount,
  remaining,
})

/** Submitted and bridged on chain 1, whose blocks are final up to 15; those of chain 4663 up to 25. */
function facts(changes: Partial<Facts> = {}): Facts {
  return {
    submission: at(1, 10),
    bridging: { ...at(1, 10), guid, offerAmountNormalized18: '99' },
    delivery: null,
    tombstone: null,
    executions: [],
    removals: [],
    offer_amount: '100',
    amount_due: null,
    source_finalized_block: 15n,
    destination_finalized_block: 25n,
    ...changes,
  }
}

const arrived = { delivery: { ...at(4663, 20), guid }, amount_due: '99' }

/** `STEP amount/remaining`, `*` for a finalized one. */
function drawn(changes: Partial<Facts> = {}): string[] {
  return orderTimeline(facts(changes)).map(
    ({ step, amount, remaining, finalized }) =>
      `${step} ${amount ?? '-'}/${remaining ?? '-'}${finalized ? '*' : ''}`,
  )
}

describe('orderTimeline', () => {
  test('default', () => {
    expect(drawn()).toEqual(['SUBMITTED 100/-*', 'BRIDGED -/-*'])
    const [submitted] = orderTimeline(facts())
    expect(submitted).toEqual({
      step: 'SUBMITTED',
      ...at(1, 10),
      amount: 100n,
      remaining: null,
      finalized: true,
    })
  })

  test('behavior: paid in parts, each step as final as its own block', () => {
    const executions = [paid(24, '9', '90'), paid(30, '90', '0')]
    expect(drawn({ ...arrived, executions })).toEqual([
      'SUBMITTED 100/-*',
      'BRIDGED -/-*',
      'RECEIVED 99/99*',
      'EXECUTED 9/90*',
      'EXECUTED 90/0',
      'PROCESSED -/0',
    ])
  })

  test('behavior: removed after a part', () => {
    const removals = [{ ...at(4663, 31), logIndex: 0, remaining: '90' }]
    const steps = drawn({ ...arrived, executions: [paid(24, '9', '90')], removals })
    expect(steps.slice(3)).toEqual(['EXECUTED 9/90*', 'REMOVED -/90'])
  })

  test('behavior: on one chain', () => {
    const delivery = { ...at(1, 10), guid: null }
    expect(drawn({ ...arrived, bridging: null, delivery })).toEqual([
      'SUBMITTED 100/-*',
      'RECEIVED 99/99*',
    ])
  })

  test('behavior: seen on its destination only', () => {
    const source = { submission: null, bridging: null, offer_amount: null }
    expect(drawn({ ...source, ...arrived })).toEqual(['RECEIVED 99/99*'])
  })

  test('behavior: an arrival that the clock of its chain puts before the submission stays behind it', () => {
    const delivery = { ...at(4663, 20, 9), guid }
    expect(drawn({ ...arrived, delivery })[2]).toBe('RECEIVED 99/99*')
  })

  test('behavior: a tombstone after the submission, at its second, and before it', () => {
    const order = (time: number) =>
      drawn({ tombstone: at(4663, 26, time) }).map((text) => text.split(' ')[0])
    expect(order(11)).toEqual(['SUBMITTED', 'BRIDGED', 'TOMBSTONED'])
    expect(order(10)).toEqual(['SUBMITTED', 'BRIDGED', 'TOMBSTONED'])
    expect(order(9)).toEqual(['TOMBSTONED', 'SUBMITTED', 'BRIDGED'])
  })

  test('behavior: no step of a chain that is not indexed is final', () => {
    expect(drawn({ source_finalized_block: null })[0]).toBe('SUBMITTED 100/-')
  })
})
