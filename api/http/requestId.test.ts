import { describe, expect, test } from 'vitest'
import { formatKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import { requestId } from './requestId.ts'

const KEY = formatKey(randomKeyParts())

describe('requestId', () => {
  test('default', () => {
    expect(requestId({ headers: {} })).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('behavior: keeps what the caller sent', () => {
    expect(requestId({ headers: { 'x-request-id': 'checkout:7.a_b-c' } })).toBe('checkout:7.a_b-c')
  })

  test.each(['', 'a b', 'a\nb', '"quoted"', 'x'.repeat(129), 'ä', KEY])(
    'behavior: replaces what does not fit a header or a log line: %j',
    (sent) => {
      expect(requestId({ headers: { 'x-request-id': sent } })).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})
