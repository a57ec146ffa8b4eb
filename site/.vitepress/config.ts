import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf, SITE_PAGES } from '../pages.ts'
import { BASE, IS_FOR_API } from '../published.ts'

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

const { DOCS_EDIT_URL: editUrl } = process.env

/** Documents that only the api serves. Their links load a page, because they are none of the site. */
const served = {
  text: 'API',
  items: [
    { text: 'REST, to try', link: '/reference', target: '_self' },
    { text: 'GraphQL, to try', link: '/graphiql', target: '_self' },
    { text: 'OpenAPI document', link: '/openapi.json', target: '_self' },
    { text: 'GraphQL schema', link: '/schema.graphql', target: '_self' },
  ],
}
/** The reference was at `/docs` before, and its links begin so. */
const OLD_LINKS =
  "if (location.hash.startsWith('#tag/')) location.replace('/docs/reference' + location.hash)"

export default {
  title: 'Causeway',
  description: 'Stablecoin transit, vault earn and smart deposits, from one index.',
  lang: 'en',
  base: BASE,
  srcDir: '.pages',
  outDir: '.built',
  rewrites: Object.fromEntries(
    SITE_PAGES.flatMap(({ pages }) => pages).map(({ source, path }) => [source, `${path}.md`]),
  ),
  cleanUrls: true,
  head: [
    ['link', { rel: 'icon', href: `${BASE}logo.svg` }],
    ...(IS_FOR_API ? [['script', {}, OLD_LINKS]] : []),
  ],
  // Each file that a browser fetches counts as a request.
  router: { prefetchLinks: false },
  // The pages name the ports of the local world.
  ignoreDeadLinks: [/^https?:\/\/(localhost|127\.0\.0\.1)/],
  markdown: { html: false, anchor: { slugify: anchorOf } },
  themeConfig: {
    logo: '/logo.svg',
    outline: [2, 3],
    search: { provider: 'local' },
    sidebar,
    nav: [...(IS_FOR_API ? [served] : []), { text: version, link: '/changelog' }],
    ...(editUrl ? { editLink: { pattern: editUrl, text: 'Edit this page' } } : {}),
  },
}
