import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { StandstillError, whileItMoves } from './whileItMoves.ts'

const limits = { quietMs: 50, lookMs: 5 }

describe('whileItMoves', () => {
  test('default', async () => {
    expect(await whileItMoves({ work: sleep(10, 'done'), hasMoved: never, ...limits })).toBe('done')
  })

  test('behavior: what moves is waited for, however long it takes', async () => {
    let looks = 0
    const hasMoved = async () => {
      looks += 1
      return looks % 5 === 0
    }
    const work = sleep(200, 'done')
    expect(await whileItMoves({ work, hasMoved, ...limits })).toBe('done')
    expect(looks).toBeGreaterThan(10)
  })

  test('behavior: the failure of the work is its own', async () => {
    const work = sleep(10).then(() => Promise.reject(new RangeError('of the work')))
    await expect(whileItMoves({ work, hasMoved: never, ...limits })).rejects.toThrow(RangeError)
  })

  test('error: nothing moves', async () => {
    const startedAt = Date.now()
    const work = sleep(5_000, undefined, { ref: false })
    await expect(whileItMoves({ work, hasMoved: never, ...limits })).rejects.toThrow(
      StandstillError,
    )
    expect(Date.now() - startedAt).toBeLessThan(2_000)
  })
})

async function never() {
  return false
}
