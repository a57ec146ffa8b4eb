import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openSecret, sealSecret } from './sealedSecret.ts'

const key = randomBytes(32)
const secret = `whsec_${randomBytes(32).toString('base64')}`

describe('sealedSecret', () => {
  test('default', () => {
    const sealed = sealSecret(secret, 'one', key)
    expect(openSecret(sealed, 'one', key)).toBe(secret)
    expect(Buffer.from(sealed).includes(secret)).toBe(false)
    expect(sealSecret(secret, 'one', key)).not.toEqual(sealed)
  })

  test('error: another key, another name, any bit changed', () => {
    const sealed = sealSecret(secret, 'one', key)
    expect(() => openSecret(sealed, 'one', randomBytes(32))).toThrow()
    expect(() => openSecret(sealed, 'two', key)).toThrow()
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => openSecret(changed, 'one', key)).toThrow()
    }
  })
})
