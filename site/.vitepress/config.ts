import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf, SITE_PAGES } from '../pages.ts'

const root = join(import.meta.dirname, '../..')
const { tags } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const titleOf = (source: string) =>
  /^# (.+)$/m.exec(readFileSync(join(root, source), 'utf8'))?.[1]?.replaceAll('`', '') ?? source
const linkOf = (path: string) => `/${path.replace(/(^|\/)index$/, '$1')}`

const reference = [
  ...tags.map(({ name }: { name: string }) => ({
    text: `REST: ${name}`,
    link: `/reference/${anchorOf(name)}`,
  })),
  { text: 'GraphQL', link: '/reference/graphql' },
]
const sidebar = SITE_PAGES.map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ source, path }) => ({ text: titleOf(source), link: linkOf(path) })),
}))
sidebar.splice(3, 0, { text: 'Reference', items: reference })

const { DOCS_BASE: base = '/', DOCS_EDIT_URL: editUrl } = process.env

/** Words that every page has find nothing. The function runs in the browser too, so it has all that it needs. */
function processTerm(term: string): string | null {
  const common =
    'a an and are as at by do does did for from how i in into is it its me my of on or that the there they this to was what when where which who why with you your'
  const word = term.toLowerCase()
  return common.split(' ').includes(word) ? null : word
}

export default {
  title: 'Causeway',
  description: 'Stablecoin transit, vault earn and smart deposits, from one index.',
  lang: 'en',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  rewrites: Object.fromEntries(
    SITE_PAGES.flatMap(({ pages }) => pages).map(({ source, path }) => [source, `${path}.md`]),
  ),
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: `${base}logo.svg` }]],
  // The pages name the ports of the local world.
  ignoreDeadLinks: [/^https?:\/\/(localhost|127\.0\.0\.1)/],
  markdown: { html: false, anchor: { slugify: anchorOf } },
  themeConfig: {
    logo: '/logo.svg',
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { options: { processTerm } } } },
    sidebar,
    nav: [{ text: version, link: '/changelog' }],
    ...(editUrl ? { editLink: { pattern: editUrl, text: 'Edit this page' } } : {}),
  },
}
