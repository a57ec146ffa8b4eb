import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPonderStart, finalityBlocks, headerOf } from './ponderStart.ts'

const HASH = `0x${'f'.repeat(64)}` as const
const held = headerOf({ number: 1_000n, hash: HASH, timestamp: 7n })
const blockBy = (number: string, isFull = false) => ({
  method: 'eth_getBlockByNumber',
  params: [number, isFull],
})
const logsOf = (fromBlock: string) => ({
  method: 'eth_getLogs',
  params: [{ fromBlock, toBlock: '0x50' }],
})

describe('createPonderStart', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('default', () => {
    const start = createPonderStart(1, held, 65)
    expect(start.answer(blockBy('latest'))).toEqual({ result: { ...held, number: '0x429' } })
    // 65 blocks below, and whatever the cache may have above.
    for (const number of ['0x3e8', '0x3ff'])
      expect(start.answer(blockBy(number))).toEqual({ result: held })
    expect(start.answer({ method: 'eth_chainId' })).toEqual({ result: '0x1' })
    expect(start.answer(blockBy('0x5'))).toEqual({ result: { ...held, number: '0x5' } })
  })

  test('behavior: all else is asked of the nodes', () => {
    const start = createPonderStart(1, held, 65)
    expect(start.answer(blockBy('0x3e9', true))).toBeNull()
    expect(start.answer(logsOf('0x1'))).toBeNull()
    expect(createPonderStart(1, null, 65).answer(blockBy('latest'))).toBeNull()
  })

  test('behavior: the same logs, asked again and again', () => {
    const start = createPonderStart(1, null, 65)
    for (let count = 0; count < 3; count += 1) start.note(logsOf('0x1'))
    start.note(logsOf('0x2'))
    expect(start.stuck()).toBeNull()
    start.note(logsOf('0x1'))
    expect(start.stuck()).toBe('refused')
  })

  test('behavior: no answer for 20 seconds', () => {
    const start = createPonderStart(1, null, 65)
    start.noteAnswer(false)
    vi.setSystemTime(Date.now() + 20_001)
    expect(start.stuck()).toBe('silent')
    start.noteAnswer(true)
    expect(start.stuck()).toBeNull()
  })
})

test('finalityBlocks', async () => {
  expect(await Promise.all([1, 4663].map(finalityBlocks))).toEqual([65, 30])
})
