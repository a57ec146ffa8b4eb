import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHeadReader, type IndexHeads } from './indexHeads.ts'

describe('createHeadReader', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())
  const heads: IndexHeads = { snapshot: '10:12:11', views: 1, progress: [] }
  /** Connects only when it reads. */
  const reader = () => createHeadReader(postgres())

  test('default: the heads of a statement with the same snapshot, and of no other', () => {
    const { note, at } = reader()
    expect(at(heads.snapshot)).toBeNull()
    note(heads)
    expect(at(heads.snapshot)).toBe(heads)
    expect(at('10:12:')).toBeNull()
  })

  test('behavior: not known after a time in which Postgres can have restarted', () => {
    const { note, at } = reader()
    note(heads)
    for (let waited = 0; waited < 5; waited++) {
      vi.advanceTimersByTime(200)
      expect(at(heads.snapshot)).toBe(heads)
    }
    vi.advanceTimersByTime(201)
    expect(at(heads.snapshot)).toBeNull()
  })

  test('behavior: asked for only while they were seen a moment ago', () => {
    const { note, at, recent } = reader()
    expect(recent()).toBeNull()
    note(heads)
    vi.advanceTimersByTime(30)
    expect(recent()).not.toBeNull()
    at(heads.snapshot)
    vi.advanceTimersByTime(30)
    expect(recent()).not.toBeNull()
    vi.advanceTimersByTime(1)
    expect(recent()).toBeNull()
  })
})
