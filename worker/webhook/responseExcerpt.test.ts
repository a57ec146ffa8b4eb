import { describe, expect, test } from 'vitest'
import { randomSigningSecret } from '../../domain/webhook/signature.ts'
import { EXCERPT_SOURCE_BYTES, responseExcerpt } from './responseExcerpt.ts'

const excerpt = (body: string | Uint8Array, secrets: string[] = []) => {
  const bytes = Buffer.from(body)
  return responseExcerpt(bytes.subarray(0, EXCERPT_SOURCE_BYTES), {
    secrets,
    isWhole: bytes.length <= EXCERPT_SOURCE_BYTES,
  })
}

describe('responseExcerpt', () => {
  test('default: a short text is kept as it is', () => {
    expect(excerpt('{"a":\t"ü"}\r\n')).toEqual({ text: '{"a":\t"ü"}\r\n', isTruncated: false })
    expect(excerpt('')).toEqual({ text: '', isTruncated: false })
  })

  test('behavior: the first 1,024 bytes, without half a character', () => {
    expect(excerpt('a'.repeat(1_024))).toEqual({ text: 'a'.repeat(1_024), isTruncated: false })
    expect(excerpt('a'.repeat(1_025))).toEqual({ text: 'a'.repeat(1_024), isTruncated: true })
    expect(excerpt(`${'a'.repeat(1_023)}ü`).text).toBe('a'.repeat(1_023))
    expect(excerpt('a'.repeat(5_000)).isTruncated).toBe(true)
  })

  test('behavior: bytes that are no text, and control characters, can be stored and shown', () => {
    expect(excerpt(new Uint8Array([0x61, 0, 0xff, 0x1b, 0x62])).text).toBe(
      'a\u{fffd}\u{fffd}\u{fffd}b',
    )
  })

  test('behavior: a signing secret in the answer is masked, also where the excerpt ends', () => {
    const secret = randomSigningSecret()
    const key = secret.replace('whsec_', '')
    expect(excerpt(`it is ${secret}!`, [randomSigningSecret(), secret]).text).toBe(
      `it is whsec_${'*'.repeat(key.length)}!`,
    )
    const { text } = excerpt(`${'a'.repeat(1_014)}${key}`, [secret])
    expect(text).toBe(`${'a'.repeat(1_014)}${'*'.repeat(10)}`)
  })

  test('behavior: a secret is masked as JSON writes it, and where another is its beginning', () => {
    expect(excerpt('{"t":"a\\/b\\/c"} a/b/c', ['a/b/c']).text).toBe('{"t":"*******"} *****')
    expect(excerpt('{"t":"say \\"yes\\""}', ['say "yes"']).text).toBe('{"t":"***********"}')
    expect(excerpt('bearer-long', ['bearer', 'bearer-long']).text).toBe('***********')
  })
})
