import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exportedWords } from './exportedWords.ts'

const root = new URL('../../', import.meta.url)
const text = (file: string) => readFileSync(new URL(file, root), 'utf8')

test('default: every value that the package exports is on the page', () => {
  const names = [...text('sdk/surface.txt').matchAll(/^(\w+): (?!export type|generated)/gm)]
  const page = text('docs/client.md')
  expect(names.length).toBeGreaterThan(150)
  expect(names.map(([, name]) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('error: a module whose export has no words', () => {
  const { pathname } = new URL('cli/sdk/valueKind.ts', root)
  expect(
    exportedWords([pathname])
      .get(pathname)
      ?.map(({ name }) => name),
  ).toEqual(['valueKind', 'isNullable'])
  const without = new URL('sdk/src/generated/operations.ts', root).pathname
  expect(() => exportedWords([without])).toThrow('is exported without a word of documentation')
})
