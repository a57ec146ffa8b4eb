import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The Node that the project needs is one number, and every entry checks it first. */

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { engines, scripts } = JSON.parse(read('package.json')) as {
  engines: { node: string }
  scripts: Record<string, string>
}
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root }).toString().trim().split('\n')

test('default: every page names the number of package.json', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/\bNode(?:\.js)? (\d[\d.]*\d|\d)/g)].map(([, number]) => ({
      page,
      engines: `>=${number}`,
    })),
  )
  expect(named.length).toBeGreaterThan(2)
  expect(named).toEqual(named.map(({ page }) => ({ page, engines: engines.node })))
})

test('behavior: scripts and documented commands preload the check', () => {
  const documented = pages.flatMap((page) => read(page).match(/^.*\bnode .*processes\/.*$/gm) ?? [])
  const commands = [...Object.values(scripts), ...documented].filter((line) =>
    /\bnode .*\.ts/.test(line),
  )
  expect(commands.length).toBeGreaterThan(10)
  expect(commands.filter((line) => !/\bnode -r \.\/checkNode\.cjs /.test(line))).toEqual([])
})
