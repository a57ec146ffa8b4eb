import { describe, expect, test } from 'vitest'
import { etagOf, matchesEtag } from './etag.ts'

describe('etagOf', () => {
  test('default', () => {
    expect(etagOf('{"a":1}')).toMatch(/^"[\w-]{27}"$/)
    expect(etagOf('{"a":1}')).toBe(etagOf('{"a":1}'))
  })

  test('behavior: every byte of the body counts', () => {
    expect(etagOf('{"a":1}')).not.toBe(etagOf('{"a":1} '))
  })
})

describe('matchesEtag', () => {
  const etag = etagOf('body')

  test.each([
    ['the tag', etag, true],
    ['the tag, weak', `W/${etag}`, true],
    ['a list with the tag', `"other", W/"third" ,${etag}`, true],
    ['a list without spaces', `"other",${etag}`, true],
    ['any', '*', true],
    ['any, with spaces', ' * ', true],
    ['another tag', '"other"', false],
    ['the tag without quotes', etag.slice(1, -1), false],
    ['a longer tag', `"x${etag.slice(1)}`, false],
    ['nothing', '', false],
    ['no header', undefined, false],
  ])('behavior: %s', (_, header, matches) => {
    expect(matchesEtag(header, etag)).toBe(matches)
  })
})
