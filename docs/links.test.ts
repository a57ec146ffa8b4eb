import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

async function pages(): Promise<string[]> {
  const inDocs = await readdir(join(root, 'docs'), { recursive: true })
  const inRoot = await readdir(root)
  return [...inDocs.map((name) => join('docs', name)), ...inRoot].filter((name) =>
    name.endsWith('.md'),
  )
}

/** How a heading is addressed behind `#`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** A page's text without its code blocks. */
async function prose(page: string): Promise<string> {
  return (await readFile(join(root, page), 'utf8')).replaceAll(/```.*?```/gs, '')
}

async function leadsNowhere(page: string, link: string): Promise<boolean> {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : relative(root, join(root, dirname(page), path))
  if (!existsSync(join(root, target))) return true
  if (anchor === undefined) return false
  const headings = [...(await prose(target)).matchAll(/^#+ (.+)$/gm)]
  return !headings.some(([, heading = '']) => anchorOf(heading) === anchor)
}

test('default: every link of the documentation leads to a page and a heading that are there', async () => {
  const broken: string[] = []
  for (const page of await pages()) {
    const links = [...(await prose(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
    for (const link of links.filter((to) => !/^https?:/.test(to)))
      if (await leadsNowhere(page, link)) broken.push(`${page}: ${link}`)
  }
  expect(broken).toEqual([])
})

test('behavior: every page of docs/ begins with who it is for', async () => {
  const inDocs = (await pages()).filter(
    (page) => page.startsWith('docs/') && !/errors\.md|decisions/.test(page),
  )
  const texts = await Promise.all(inDocs.map(prose))
  const lacking = inDocs.filter((_, index) => !/^# .+\s+For /.test(texts[index] ?? ''))
  expect(lacking).toEqual([])
})
