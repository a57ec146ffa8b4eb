import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { GUIDES } from '../api/docs/guides.ts'
import { MOST_PIPELINED } from '../api/limits/limitPipelining.ts'
import { OLDEST_READ_SECONDS } from '../domain/earn/vaults/deploymentCache.ts'
import { schema } from '../schema/schema.ts'

/** Compares numbers and names in the pages with the code, and the pages with each other. */

const folder = import.meta.dirname
const read = (page: string) => readFileSync(join(folder, page), 'utf8')
const pages = globSync('**/*.md', { cwd: folder })

/** Types of the console and of operators: their reference is enough. */
const WITHOUT_PAGE =
  /^(__|AmplifySdk|ApiKey|ApiUsage|Audit|IndexBuild|Invitation|Keeper|Member|Mutation|Organization|Query|Rehearsal|Request|SdkConfig|TransitStop)/

/** Abbreviations that every programmer knows. */
const KNOWN = new Set(
  'AND API ASCII CPU CRLF CSV DNS GET GB HTTP HTTPS ID IETF IP IPV4 ISO JSON KB KIB MB NAT OR POST README REST RFC SDK SQL TLS URL UTC UTF-8 UTF-16 UUID'.split(
    ' ',
  ),
)

describe('default', () => {
  test('the age of reads of vaults', () => {
    const ages = [...pages.map(read), read('openapi.json')].flatMap((text) =>
      [...text.matchAll(/read (?:from (?:its|the) chains? )?at most\s(\d+) s/g)].map(
        ([, age]) => age,
      ),
    )
    expect(ages.length).toBeGreaterThan(5)
    expect(new Set(ages)).toEqual(new Set([String(OLDEST_READ_SECONDS)]))
  })

  test('the limit of pipelining', () => {
    for (const page of ['security.md', 'operating/public-traffic.md'])
      expect(read(page), page).toContain(`${MOST_PIPELINED} unanswered requests`)
  })

  test.each(pages)('the variables of the shell that %s uses are set in it', (page) => {
    const text = read(page)
    const code = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, lines]) => lines).join('')
    const used = [...code.matchAll(/\$\{?([A-Z][A-Z0-9_]*)/g)].map(([, name = '']) => name)
    const known = ['HOME', 'PATH', 'PWD']
    // A page of operating goes on in the shell of the page that sets production up.
    if (page.startsWith('operating/')) known.push(...setIn(read('operating/production.md')))
    expect([...new Set(used)].filter((name) => ![...known, ...setIn(text)].includes(name))).toEqual(
      [],
    )
  })

  test.each(pages)(
    'a loop of %s that waits for a paid order ends for a removed one too',
    (page) => {
      const loops = read(page)
        .split('\n')
        .filter((line) => /^ *(until|while) .*PROCESSED/.test(line))
      expect(loops.filter((line) => !line.includes('REMOVED'))).toEqual([])
    },
  )

  /** The words in capitals of the page of errors are statuses. */
  const guides = GUIDES.filter((guide) => guide !== 'errors')
  test.each(guides)('the glossary has every abbreviation of %s', (guide) => {
    const glossary = new Set(abbreviationsIn(read('glossary.md')))
    const used = new Set(abbreviationsIn(read(`${guide}.md`)))
    expect([...used].filter((word) => !glossary.has(word) && !KNOWN.has(word))).toEqual([])
  })

  test('the contents of the page for whoever is on call have every section', () => {
    const page = read('operating/on-call.md')
    const [contents = ''] = page.split('\n## ')
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)
    expect(sections.length).toBeGreaterThan(10)
    expect(sections.filter((title) => !contents.includes(`[${title}](#`))).toEqual([])
  })

  test('every field of an answer for integrators is on a page', () => {
    const words = new Set(pages.flatMap((page) => read(page).match(/\w+/g) ?? []))
    const fields = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !WITHOUT_PAGE.test(name))
      .flatMap((type) => Object.keys(type.getFields()).map((field) => [type.name, field] as const))
    expect(fields.filter(([, field]) => !words.has(field))).toEqual([])
  })
})

function setIn(text: string): string[] {
  return [...text.matchAll(/(?:^|[\s;&({])([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
}

/** Outside of code, links and addresses. */
function abbreviationsIn(text: string): string[] {
  const prose = text
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
  return prose.match(/\b(?<!\+)[A-Z][A-Z0-9]+(?:-\d+)?\b/g) ?? []
}
