import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Each difference has its reason, and a test that is there. */

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(import.meta.dirname, 'differences.md'), 'utf8')
const differences = page
  .split('\n### ')
  .slice(1)
  .map((text): [title: string, text: string] => [text.split('\n')[0] ?? '', text])

const PARTS = ['Specification', 'Here', 'Why', 'Test']

test('default: there are differences', () => {
  expect(differences.length).toBeGreaterThan(30)
})

test.each(differences)('default: %s', (_, text) => {
  const parts = [...text.matchAll(/^- \*\*(\w+):\*\* \S/gm)].map(([, part]) => part)
  expect([...new Set(parts)]).toEqual(PARTS)
  for (const [, file = '', name = ''] of text.matchAll(/^- \*\*Test:\*\* `(.+?)`: (.+)$/gm)) {
    expect(existsSync(join(root, file)), file).toBe(true)
    const source = readFileSync(join(root, file), 'utf8')
    // The name of a test, of a group, or of a case that is a row of a table.
    const isThere = [`'${name}'`, `"${name}"`, `\`${name}\``].some((text) => source.includes(text))
    expect(isThere, `${file}: ${name}`).toBe(true)
  }
})
