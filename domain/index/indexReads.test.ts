import { describe, expect, test } from 'vitest'
import type { IndexProgress } from './indexProgress.ts'
import { type AtHeads, createIndexReads, ofRowsAlone } from './indexReads.ts'

/** The heads after this block. `lastChange` is the last block that changed a row. */
function headsAt(hash: string, lastChange = hash): IndexProgress[] {
  return [
    {
      build: 1,
      chain_id: 1,
      is_ready: true,
      block_number: 7,
      block_hash: hash,
      block_timestamp: 1,
      finalized_block: 5,
      high_water: 7,
      last_change_hash: lastChange,
    },
  ]
}

/** Reads pages of a list whose rows and heads the test changes. Each read counts. */
function pages(kilobytes = 1_000) {
  const state: AtHeads<{ rows: number[] }> = {
    heads: headsAt('a'),
    chainIds: [1],
    value: { rows: [1, 2] },
  }
  let reads = 0
  const headReader = { read: async () => state.heads, latest: () => state.heads, note: () => {} }
  const kept = createIndexReads(headReader, { kilobytes })
  const read = async (key = 'a page') => {
    const { value } = await kept.read(key, {
      select: async () => {
        reads += 1
        return { ...state, value: { rows: [...state.value.rows] } }
      },
      isSameAt: ofRowsAlone,
      kilobytes: ({ rows }) => rows.length + 1,
    })
    return value
  }
  return { state, read, reads: () => reads }
}

describe('createIndexReads', () => {
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

  test('behavior: who comes while it is read shares the next read, which begins after', async () => {
    const { read, reads } = pages()
    const first = read()
    const [second, third] = await Promise.all([read(), read(), first])
    expect(second).toBe(third)
    expect(reads()).toBeLessThanOrEqual(2)
  })

  test('behavior: another build of the same blocks is read again', async () => {
    const { state, read, reads } = pages()
    await read()
    state.heads = headsAt('a').map((head) => ({ ...head, build: 2 }))
    await read()
    expect(reads()).toBe(2)
  })

  test('behavior: what also follows from something else is read each time', async () => {
    const { state, read, reads } = pages()
    await read()
    state.heads = headsAt('b')
    state.chainIds = null
    state.value = { rows: [3] }
    expect(await read()).toEqual({ rows: [3] })
    state.value = { rows: [4] }
    expect(await read()).toEqual({ rows: [4] })
    expect(reads()).toBe(3)
  })

  test('behavior: the size of all kept values is bounded', async () => {
    const { read, reads } = pages(10)
    await read()
    for (let page = 0; page < 4; page += 1) await read(`page ${page}`)
    expect(reads()).toBe(5)
    await read()
    expect(reads()).toBe(6)
  })
})
