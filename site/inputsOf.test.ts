import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inputsOf } from './inputsOf.ts'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inputs-'))
  folder = join(root, 'site')
  mkdirSync(join(folder, '.pages/docs/earn'), { recursive: true })
  mkdirSync(join(folder, '.vitepress/cache'), { recursive: true })
  for (const name of ['.pages/docs/earn/a.md', '.vitepress/config.ts', 'pages.ts'])
    writeFileSync(join(folder, name), name)
  writeFileSync(join(root, 'package.json'), '{}')
})
afterEach(() => rmSync(root, { recursive: true }))

test.each(['.pages/docs/earn/a.md', '.vitepress/config.ts', 'pages.ts', '../package.json'])(
  'behavior: a change of %s is one of the site',
  (name) => {
    const before = inputsOf(folder, {})
    expect(inputsOf(folder, {})).toBe(before)
    writeFileSync(join(folder, name), 'changed')
    expect(inputsOf(folder, {})).not.toBe(before)
  },
)

test('behavior: so is one of its variables, and no other change', () => {
  const before = inputsOf(folder, { HOME: 'a' })
  expect(inputsOf(folder, { DOCS_EDIT_URL: 'b' })).not.toBe(before)
  writeFileSync(join(folder, '.vitepress/cache/a'), 'kept')
  expect(inputsOf(folder, { HOME: 'b' })).toBe(before)
})
