import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BlockHeader } from '../../domain/chain/judgeResult.ts'
import { blocks, namesOf } from '../../test/support/scriptedNode.ts'
import { createHeadPace, type HeadPace } from './headPace.ts'

describe('createHeadPace', () => {
  let pace: HeadPace
  let received: BlockHeader[]
  let publish: (name: string) => void

  beforeEach(() => {
    vi.useFakeTimers()
    received = []
    let tip: BlockHeader | undefined
    let listener: (head: BlockHeader) => void = () => {}
    pace = createHeadPace({
      tip: () => tip,
      follow(added) {
        listener = added
        return () => {}
      },
    })
    pace.follow((head) => received.push(head))
    publish = (name) => {
      ;[tip] = blocks(name)
      if (tip) listener(tip)
    }
  })
  afterEach(() => {
    pace.stop()
    vi.useRealTimers()
  })

  test('default', () => {
    publish('a')
    publish('b')
    expect([namesOf(received), pace.refusal()]).toEqual(['ab', null])
  })

  test('behavior: two heads in a row may be refused', () => {
    for (const name of 'ab') {
      publish(name)
      pace.refuse('why')
    }
    publish('c')
    expect([namesOf(received), pace.refusal()]).toEqual(['abc', null])
  })

  test('behavior: after three, the tip alone is passed on, ever more rarely', () => {
    for (let refused = 0; refused < 3; refused += 1) pace.refuse('why')
    for (const name of 'abc') publish(name)
    expect([namesOf(received), pace.refusal()]).toEqual(['', 'why'])
    vi.advanceTimersByTime(1_000)
    expect(namesOf(received)).toBe('c')
    vi.advanceTimersByTime(60_000)
    // After 1, 3, 7, 15, 23, 31, 39, 47 and 55 seconds.
    expect(namesOf(received)).toBe('c'.repeat(9))
  })

  test('behavior: an indexed block ends it', () => {
    pace.hold('why')
    publish('a')
    pace.accept()
    publish('b')
    vi.advanceTimersByTime(60_000)
    expect([namesOf(received), pace.refusal()]).toEqual(['b', null])
  })
})
