import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** The links and the file names of every page of the repository lead to something that exists. */

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const pages = files.filter((file) => file.endsWith('.md'))
const names = new Set(files.flatMap((file) => [file, basename(file)]))

function prose(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '')
}

/** The anchors of a page's headings, as GitHub names them. */
function anchorsOf(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

test.each(pages)('default: the links of %s', (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
  const broken = links.filter((to) => {
    if (/^\w+:/.test(to)) return false
    const [path = '', anchor] = to.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(root, target))) return true
    return anchor !== undefined && !anchorsOf(target).includes(anchor)
  })
  expect(broken).toEqual([])
})

test.each(pages)('behavior: the source files that %s names', (page) => {
  const named = [...prose(page).matchAll(/`([\w./-]+\.(?:ts|sql|sol|cjs))`/g)].map(
    ([, file = '']) => file,
  )
  const exists = (file: string) =>
    names.has(file) || files.some((path) => path.endsWith(`/${file}`))
  expect(named.filter((file) => !exists(file))).toEqual([])
})

const guides = pages.filter((page) => /^(docs|sdk|mcp|examples)\//.test(page))

test.each(guides)('behavior: %s begins with who it is for', (page) => {
  expect(prose(page)).toMatch(/^# .+\s+(<!--.*-->\s+)?For /)
})

test.each(pages)('behavior: every column of %s has a heading', (page) => {
  const headings = [...prose(page).matchAll(/^ *(\|.*\|) *\n *\|[ :|-]+\| *$/gm)]
  const cells = headings.flatMap(([, row = '']) => row.split('|').slice(1, -1))
  expect(cells.filter((cell) => cell.trim() === '')).toEqual([])
})
