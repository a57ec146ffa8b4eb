import { describe, expect, onTestFinished, test } from 'vitest'
import { type Observation, onObservation } from '../observation/observe.ts'
import type { AnsweredRequest } from './answeredRequest.ts'
import { createRequestRecorder } from './requestRecorder.ts'
import type { RequestStore } from './requestStore.ts'
import type { UsageSum } from './usageSums.ts'

const HOUR_MS = 3_600_000
const request = (changes: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  at: 0,
  organizationId: 'o',
  publicId: 'k',
  requestId: 'r',
  method: 'GET',
  route: '/',
  operation: null,
  status: 200,
  reason: null,
  latencyMs: 1,
  points: 2,
  ...changes,
})

/** A database that can be down. */
function testStore() {
  const written: string[] = []
  const sums: UsageSum[] = []
  const calls: string[] = []
  const state = { isDown: false, isLogDown: false }
  const refuse = (isDown: boolean) => {
    if (isDown) throw Object.assign(new Error('down'), { code: 'CONNECTION_CLOSED' })
  }
  const store: RequestStore = {
    async writeRequests(requests) {
      calls.push('requests')
      refuse(state.isDown || state.isLogDown)
      written.push(...requests.map(({ requestId }) => requestId))
    },
    async addSums(added) {
      calls.push('sums')
      refuse(state.isDown)
      sums.push(...added)
    },
    async forgetOld() {
      calls.push('forget')
      refuse(state.isDown)
    },
    async stop() {
      calls.push('stop')
    },
  }
  return { store, written, sums, calls, state }
}

function recorderOf(store: RequestStore, mostWaiting = 3) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const recorder = createRequestRecorder(store, { onFailure, mostWaiting, flushMs: 1e8 })
  onTestFinished(() => recorder.stop())
  return { recorder, failures }
}

function observed(): Observation[] {
  const all: Observation[] = []
  onTestFinished(onObservation((observation) => all.push(observation)))
  return all
}

const totalOf = (sums: UsageSum[]) => sums.reduce((total, { requests }) => total + requests, 0)

describe('requestRecorder', () => {
  test('default: a row per request, a sum per key and hour, old rows forgotten first', async () => {
    const { store, written, sums, calls } = testStore()
    const { recorder } = recorderOf(store)
    recorder.record(request({ requestId: 'a' }))
    recorder.record(request({ requestId: 'b', status: 429 }))
    recorder.record(request({ requestId: 'c', status: 503, at: HOUR_MS }))
    await recorder.flush()
    expect(written).toEqual(['a', 'b', 'c'])
    const sum = { organizationId: 'o', publicId: 'k', invalid: 0 }
    expect(sums).toEqual([
      { ...sum, hour: 0, requests: 2, points: 4, refused: 1, failed: 0 },
      { ...sum, hour: 3_600, requests: 1, points: 2, refused: 0, failed: 1 },
    ])
    expect(calls).toEqual(['forget', 'sums', 'requests'])
    await recorder.flush()
    expect(calls).toHaveLength(3)
  })

  test('behavior: too many at once: the log lacks them and counts them, the sums do not', async () => {
    const seen = observed()
    const { store, written, sums } = testStore()
    const { recorder } = recorderOf(store)
    for (let index = 0; index < 10; index += 1) recorder.record(request({ requestId: `${index}` }))
    await recorder.flush()
    expect(written).toEqual(['0', '1', '2'])
    expect(totalOf(sums)).toBe(10)
    expect(seen).toEqual([
      { kind: 'requestLog', outcome: 'written', requests: 3 },
      { kind: 'requestLog', outcome: 'dropped', requests: 7 },
    ])
  })

  test('behavior: while the database is down nothing piles up; then what waited is written once', async () => {
    const { store, written, sums, state } = testStore()
    const { recorder, failures } = recorderOf(store)
    state.isDown = true
    for (let index = 0; index < 5; index += 1) {
      recorder.record(request({ requestId: `${index}` }))
      await recorder.flush()
    }
    // One report that old rows stay, and one for a row of failures.
    expect(failures).toHaveLength(2)
    state.isDown = false
    await recorder.flush()
    await recorder.flush()
    expect([written, totalOf(sums)]).toEqual([['0', '1', '2'], 5])
  })

  test('behavior: rows that were refused are written again, and sums not twice', async () => {
    const seen = observed()
    const { store, written, sums, state } = testStore()
    const { recorder } = recorderOf(store)
    state.isLogDown = true
    recorder.record(request({ requestId: 'a' }))
    const failing = recorder.flush()
    for (const requestId of ['b', 'c', 'd', 'e']) recorder.record(request({ requestId }))
    await failing
    state.isLogDown = false
    await recorder.flush()
    expect([written, totalOf(sums)]).toEqual([['a', 'b', 'c'], 5])
    const dropped = seen.filter((one) => one.kind === 'requestLog' && one.outcome === 'dropped')
    expect(dropped).toEqual([{ kind: 'requestLog', outcome: 'dropped', requests: 2 }])
  })

  test('behavior: rows that the database refuses for themselves keep no others waiting', async () => {
    const seen = observed()
    const { store, written } = testStore()
    const { recorder, failures } = recorderOf({
      ...store,
      async writeRequests(requests) {
        if (requests.some(({ latencyMs }) => latencyMs > 1e9)) throw new Error('out of range')
        await store.writeRequests(requests)
      },
    })
    recorder.record(request({ latencyMs: 1e10 }))
    await recorder.flush()
    recorder.record(request({ requestId: 'next' }))
    await recorder.flush()
    expect([written, failures.length]).toEqual([['next'], 1])
    expect(seen).toContainEqual({ kind: 'requestLog', outcome: 'dropped', requests: 1 })
  })

  test('behavior: rows are written while old ones cannot be deleted, which is tried again', async () => {
    const { store, written } = testStore()
    let tries = 0
    const { recorder, failures } = recorderOf({
      ...store,
      async forgetOld() {
        tries += 1
        throw new Error('locked')
      },
    })
    for (const requestId of ['a', 'b']) {
      recorder.record(request({ requestId }))
      await recorder.flush()
    }
    expect([written, tries, failures.length]).toEqual([['a', 'b'], 1, 1])
  })

  test('behavior: many are written in several statements, over half of the interval', async () => {
    const sizes: number[] = []
    const { store, written } = testStore()
    const recorder = createRequestRecorder(
      {
        ...store,
        async writeRequests(requests) {
          sizes.push(requests.length)
          await store.writeRequests(requests)
        },
      },
      { onFailure: () => {}, flushMs: 600 },
    )
    onTestFinished(() => recorder.stop())
    const ids = Array.from({ length: 700 }, (_, index) => `${index}`)
    for (const requestId of ids) recorder.record(request({ requestId }))
    const begin = performance.now()
    await recorder.flush()
    expect(performance.now() - begin).toBeGreaterThan(150)
    expect([sizes, written]).toEqual([[250, 250, 200], ids])
  })

  test('behavior: the end waits for no pause, and a failure loses no row of several statements', async () => {
    const { store, written, state } = testStore()
    const { recorder } = recorderOf(store, 1_000)
    const ids = Array.from({ length: 700 }, (_, index) => `${index}`)
    for (const requestId of ids) recorder.record(request({ requestId }))
    state.isLogDown = true
    await recorder.flush()
    state.isLogDown = false
    void recorder.flush()
    await recorder.stop()
    expect(written).toEqual(ids)
  })

  test('behavior: the end writes what waits', async () => {
    const { store, written, calls } = testStore()
    const { recorder } = recorderOf(store)
    recorder.record(request({ requestId: 'a' }))
    await recorder.stop()
    expect(written).toEqual(['a'])
    expect(calls.at(-1)).toBe('stop')
  })
})
