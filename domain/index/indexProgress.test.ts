import { describe, expect, test } from 'vitest'
import type { SharedContext } from '../context.ts'
import { admitAnswer, type IndexProgress } from './indexProgress.ts'

/** The marks that were raised, and the freshness of the answer. */
function answering() {
  const raised: [number, number][] = []
  const freshness = new Map<number, bigint>()
  const raise = async (chainId: number, block: number) => void raised.push([chainId, block])
  const context: Pick<SharedContext, 'freshness' | 'highWater'> = {
    freshness,
    highWater: { raise },
  }
  // Only these two are used.
  return { context: context as SharedContext, raised, freshness }
}

function progress(changes: Partial<IndexProgress> = {}): IndexProgress {
  const block = {
    build: 1,
    last_change_hash: null,
    chain_id: 1,
    block_hash: null,
    block_number: 100,
    block_timestamp: 1,
    finalized_block: 35,
  }
  return { ...block, is_ready: true, high_water: 100, ...changes }
}

const refusal = expect.objectContaining({ reason: 'INDEX_CATCHING_UP', code: 503 })

describe('admitAnswer', () => {
  test('default: at the high-water mark', async () => {
    const { context, raised, freshness } = answering()
    await admitAnswer(context, [progress()], [1])
    expect([raised, freshness]).toEqual([[], new Map([[1, 100n]])])
  })

  test.each([null, 99])(
    'behavior: above a mark of %s, which is raised first',
    async (high_water) => {
      const { context, raised } = answering()
      await admitAnswer(context, [progress({ high_water })], [1])
      expect(raised).toEqual([[1, 100]])
    },
  )

  test('behavior: an answer of several statements is as old as the oldest', async () => {
    const { context, freshness } = answering()
    for (const block_number of [102, 101, 103])
      await admitAnswer(context, [progress({ block_number })], [1])
    expect(freshness.get(1)).toBe(101n)
  })

  test.each([
    ['below the mark', progress({ high_water: 101 })],
    ['not ready', progress({ is_ready: false })],
    ['without a block', progress({ block_number: null, high_water: null })],
    ['of another chain', progress({ chain_id: 2 })],
  ])('error: %s', async (_, row) => {
    const { context, raised, freshness } = answering()
    await expect(admitAnswer(context, [row], [1])).rejects.toEqual(refusal)
    expect([raised, freshness.size]).toEqual([[], 0])
  })
})
