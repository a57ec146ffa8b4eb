import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { graphqlReference } from './graphqlReference.ts'
import { SITE_PAGES, type SitePage } from './pages.ts'
import { readQuestions } from './readQuestions.ts'
import { restReference } from './restReference.ts'

const root = join(import.meta.dirname, '..')
const target = join(import.meta.dirname, '.pages')
const LOGO = 'console/public/logo.svg'
const QUESTIONS = readQuestions()

const pathOf = new Map(
  SITE_PAGES.flatMap(({ pages }) => pages).map(({ source, path }) => [source, path]),
)

/** Documents for programs, by the page that shows them. */
const REFERENCES = new Map([
  ['docs/openapi.json', 'reference/transit'],
  ['schema/schema.graphql', 'reference/graphql'],
])

/** Writes the Markdown of the site to `.pages`: the pages of the repository with their links led anew, and the reference. */
export function writePages(): void {
  rmSync(target, { recursive: true, force: true })
  for (const { pages } of SITE_PAGES) for (const page of pages) write(page.source, adapted(page))
  for (const { path, text } of [...restReference(), graphqlReference()])
    write(`${path}.md`, `---\neditLink: false\n---\n\n${text}`)
  mkdirSync(join(target, 'public'), { recursive: true })
  cpSync(join(root, LOGO), join(target, 'public/logo.svg'))
}

function write(path: string, text: string) {
  const file = join(target, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function adapted({ source, path }: SitePage): string {
  const parts = readFileSync(join(root, source), 'utf8').split(/(^```[\s\S]*?^```)/m)
  const text = parts.map((part, index) => (index % 2 === 0 ? proseOf(part, source) : part)).join('')
  // The list of all questions would be the first result of each search.
  if (path === 'index') return `---\nsearch: false\n---\n\n${text}`
  const asked = QUESTIONS.filter(({ page }) => page === source).map(({ question }) => question)
  return asked.length === 0
    ? text
    : text.replace(/^# .+$/m, (title) => `${title}\n\n*${asked.join(' ')}*`)
}

function proseOf(text: string, source: string): string {
  return text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (_, words: string, href: string) => {
      const to = targetOf(href, source)
      return to === null ? words : `[${words}](${to})`
    })
}

/** Where a link leads on the site; null if its target is no page, and the sources have no address. */
function targetOf(href: string, source: string): string | null {
  if (/^(\w+:|#)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const path = join(dirname(source), file).replace(/\/$/, '')
  const page = pathOf.get(path) ?? REFERENCES.get(path)
  if (page) return `/${page}.md${anchor ? `#${anchor}` : ''}`
  const sources = process.env.DOCS_SOURCE_URL
  return sources ? sources.replace(':path', path) : null
}
