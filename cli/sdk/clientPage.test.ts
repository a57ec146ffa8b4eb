import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clientPage } from './clientPage.ts'
import { exportedWords } from './exportedWords.ts'

const root = new URL('../../', import.meta.url)
const text = (file: string) => readFileSync(new URL(file, root), 'utf8')

test('default: every value that the package exports is on the page, with an example', () => {
  const lines = [...text('sdk/surface.txt').matchAll(/^(\w+): (?!export type|generated)/gm)]
  const names = lines.map(([, name = '']) => name)
  const page = clientPage(JSON.parse(text('docs/openapi.json')))
  const examples = [...page.matchAll(/```tsx\n.*?```/gs)].join('\n')
  expect(names.length).toBeGreaterThan(180)
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(examples))).toEqual([])
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
