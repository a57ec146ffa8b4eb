import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodePageToken, encodePageToken } from './pageToken.ts'

const secret = new Uint8Array(32).fill(7)
const binding = JSON.stringify(['transitOrders', '0xabc', 'status = PROCESSED'])
const cursor = ['1700000000', `0x${'ab'.repeat(32)}`]
const token = encodePageToken({ binding, cursor }, secret)

const refusal = expect.objectContaining({
  reason: 'INVALID_PAGE_TOKEN',
  code: 400,
  fieldViolations: [expect.objectContaining({ field: 'pageToken' })],
})
const decode =
  (text: string, options: { binding?: string; secret?: Uint8Array } = {}) =>
  () =>
    decodePageToken(text, options.binding ?? binding, options.secret ?? secret)

describe('pageToken', () => {
  test('default', () => {
    expect(token).toMatch(/^[\w-]+$/)
    expect(decodePageToken(token, binding, secret)).toEqual(cursor)
  })

  test('behavior: any cursor comes back', () => {
    const anyCursor = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger()), {
      minLength: 1,
    })
    fc.assert(
      fc.property(anyCursor, fc.string(), (sent, bound) => {
        const made = encodePageToken({ binding: bound, cursor: sent }, secret)
        expect(decodePageToken(made, bound, secret)).toEqual(sent)
      }),
    )
  })

  test('error: another endpoint, filter or user', () => {
    expect(decode(token, { binding: binding.replace('transitOrders', 'vaults') })).toThrow(refusal)
    expect(decode(token, { binding: binding.replace('PROCESSED', 'REMOVED') })).toThrow(refusal)
    expect(decode(token, { binding: binding.replace('0xabc', '0xabd') })).toThrow(refusal)
    expect(decode(token, { binding: '' })).toThrow(refusal)
  })

  test('error: another secret', () => {
    expect(decode(token, { secret: new Uint8Array(32).fill(8) })).toThrow(refusal)
  })

  test('error: binding and cursor cannot trade characters', () => {
    const made = encodePageToken({ binding: 'a[1', cursor: [2] }, secret)
    const tag = Buffer.from(made, 'base64url').subarray(0, 16)
    const shifted = Buffer.concat([tag, Buffer.from('[1[2]')]).toString('base64url')
    expect(decode(shifted, { binding: 'a' })).toThrow(refusal)
  })

  test('error: every truncation', () => {
    for (let length = 0; length < token.length; length += 1)
      expect(decode(token.slice(0, length))).toThrow(refusal)
  })

  test('error: every flipped bit', () => {
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(decode(flipped.toString('base64url'))).toThrow(refusal)
    }
  })

  test('error: the same bytes in another spelling', () => {
    for (const spelling of [`${token}=`, ` ${token}`, `${token}\n`, `${token}!`])
      expect(decode(spelling)).toThrow(refusal)
  })

  test('error: forged', () => {
    const unsigned = Buffer.concat([Buffer.alloc(16), Buffer.from(JSON.stringify(cursor))])
    expect(decode(unsigned.toString('base64url'))).toThrow(refusal)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
        expect(decode(text)).toThrow(refusal)
      }),
    )
  })
})
