import { describe, expect, test } from 'vitest'
import type { IndexHeads } from './indexHeads.ts'
import type { IndexProgress } from './indexProgress.ts'
import { type AtHeads, createReadsByHead, ofRowsAlone } from './readsByHead.ts'

const CHAINS = [1]

/** The heads after this block. `lastChange` is the last block that changed a row. */
function headsAt(hash: string, lastChange = hash): IndexHeads {
  const progress: IndexProgress = {
    chain_id: 1,
    is_ready: true,
    block_number: 7,
    block_hash: hash,
    block_timestamp: 1,
    finalized_block: 5,
    high_water: 7,
    last_change_hash: lastChange,
  }
  return { snapshot: hash, views: 1, progress: [progress] }
}

/** Reads pages of a list whose rows and heads the test changes. Each read counts. */
function pages(mostRows = 1_000) {
  const state: AtHeads<{ rows: number[] }> = { heads: headsAt('a'), value: { rows: [1, 2] } }
  let reads = 0
  const kept = createReadsByHead<{ rows: number[] }>({
    name: 'test_pages_by_head',
    headReader: { read: async () => state.heads, isLatest: () => true, note: () => {} },
    sizeOf: ({ rows }) => rows.length,
    headsInRows: 1,
    mostRows,
  })
  const read = async (key = 'a page') => {
    const { value } = await kept.read(
      key,
      CHAINS,
      async () => {
        reads += 1
        return { ...state, value: { rows: [...state.value.rows] } }
      },
      ofRowsAlone,
    )
    return value
  }
  return { state, read, reads: () => reads }
}

describe('createReadsByHead', () => {
  test('default: is not read again after blocks that change no row', async () => {
    const { state, read, reads } = pages()
    const first = await read()
    state.heads = headsAt('b', 'a')
    expect(await read()).toBe(first)
    expect(reads()).toBe(1)
  })

  test('behavior: read again and equal, it is the same object', async () => {
    const { state, read, reads } = pages()
    const first = await read()
    state.heads = headsAt('b')
    expect(await read()).toBe(first)
    expect(reads()).toBe(2)
  })

  test('behavior: a changed row makes another object', async () => {
    const { state, read } = pages()
    const first = await read()
    state.heads = headsAt('b')
    state.value = { rows: [1, 3] }
    expect(await read()).toEqual({ rows: [1, 3] })
    expect(first).toEqual({ rows: [1, 2] })
  })

  test('behavior: what also follows from something else is read each time', async () => {
    const { state, read, reads } = pages()
    await read()
    state.heads = headsAt('b')
    state.mustReadAgain = true
    state.value = { rows: [3] }
    expect(await read()).toEqual({ rows: [3] })
    state.value = { rows: [4] }
    expect(await read()).toEqual({ rows: [4] })
    expect(reads()).toBe(3)
  })

  test('behavior: the rows of all kept values are bounded', async () => {
    const { read, reads } = pages(10)
    await read()
    for (let page = 0; page < 4; page += 1) await read(`page ${page}`)
    expect(reads()).toBe(5)
    await read()
    expect(reads()).toBe(6)
  })
})
