import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SITE_PAGES } from './pages.ts'

const sources = SITE_PAGES.flatMap(({ pages }) => pages.map(({ source }) => source))

test('default: every page of docs/ is on the site, once', () => {
  const pages = globSync('docs/**/*.md', { cwd: join(import.meta.dirname, '..') })
  expect(pages.filter((page) => !sources.includes(page))).toEqual([])
  expect(new Set(sources).size).toBe(sources.length)
})
