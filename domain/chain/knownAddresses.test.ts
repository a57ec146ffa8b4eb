import type { Address } from 'viem'
import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { createKnownAddresses } from './knownAddresses.ts'

const A: Address = `0x${'aa'.repeat(20)}`
const B: Address = `0x${'bb'.repeat(20)}`

/** Follows a contract's reference, recording the turn of each read. */
function createContract() {
  const known = createKnownAddresses()
  const state = { named: A as Address | null, gone: null as Address | null }
  return {
    state,
    async follow() {
      const log: string[] = []
      const value = await known.follow(
        'key',
        async () => {
          log.push('ask')
          await Promise.resolve()
          log.push('named')
          return state.named
        },
        async (named) => {
          log.push(`read ${named?.slice(0, 4) ?? 'none'}`)
          if (named !== null && named === state.gone) throw new Error('no longer there')
          return named
        },
      )
      return { value, log }
    },
  }
}

describe('createKnownAddresses', () => {
  test('default: at first one after the other, then at once', async () => {
    const { follow } = createContract()
    expect(await follow()).toEqual({ value: A, log: ['ask', 'named', 'read 0xaa'] })
    expect(await follow()).toEqual({ value: A, log: ['read 0xaa', 'ask', 'named'] })
  })

  test('behavior: a changed address is read, whether or not the read of the old one fails', async () => {
    const { follow, state } = createContract()
    await follow()
    Object.assign(state, { named: B, gone: A })
    expect(await follow()).toEqual({ value: B, log: ['read 0xaa', 'ask', 'named', 'read 0xbb'] })
    expect(await follow()).toEqual({ value: B, log: ['read 0xbb', 'ask', 'named'] })
  })

  test('behavior: nothing, and the zero address, are none; any case is one address', async () => {
    const { follow, state } = createContract()
    state.named = zeroAddress
    expect((await follow()).value).toBeNull()
    state.named = null
    expect((await follow()).log).toEqual(['read none', 'ask', 'named'])
    state.named = A.toUpperCase().replace('0X', '0x') as Address
    expect((await follow()).value).toBe(A)
    state.named = A
    expect((await follow()).log).toEqual(['read 0xaa', 'ask', 'named'])
  })

  test('error: the read of the current address fails', async () => {
    const { follow, state } = createContract()
    await follow()
    state.gone = A
    await expect(follow()).rejects.toThrow('no longer there')
  })
})
