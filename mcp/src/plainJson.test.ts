import { expect, test } from 'vitest'
import { plainJson, visible } from './plainJson.ts'

test.each([
  ['a mark of direction', '\u202e', '\\u{202e}'],
  ['an isolate', '\u2066', '\\u{2066}'],
  ['a blank without width', '\u200b', '\\u{200b}'],
  ['a byte order mark', '\ufeff', '\\u{feff}'],
  ['a tag', '\u{e0041}', '\\u{e0041}'],
  ['a variant', '\u{e0100}', '\\u{e0100}'],
  ['an escape of terminals', '\u001b', '\\u{1b}'],
  ['a separator of lines', '\u2028', '\\u{2028}'],
  ['half of a character', '\ud800', '\\u{d800}'],
])('default: %s is visible', (_, hidden, shown) => {
  expect(visible(`a${hidden}b`)).toBe(`a${shown}b`)
})

test('behavior: shown text of any script stays as it is, with its lines', () => {
  const text = 'Straße 東京 🎉\n\tالقاهرة'
  expect(visible(text)).toBe(text)
})

test('behavior: long text is cut off, but no calldata and no number; names are texts too', () => {
  const data = `0x${'ab'.repeat(5_000)}`
  expect(
    plainJson({ long: 'x'.repeat(4_003), data, rows: [{ 'a\u202e': 1, none: null }] }),
  ).toEqual({
    long: `${'x'.repeat(4_000)}… (3 more characters)`,
    data,
    rows: [{ 'a\\u{202e}': 1, none: null }],
  })
})
