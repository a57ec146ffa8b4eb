import { readFile } from 'node:fs/promises'

const folder = new URL('../../docs/', import.meta.url)

/** The pages for integrators, by their path below `docs/`, without `.md`. */
export const GUIDES = [
  'quickstart',
  'guides/wallet-with-transit',
  'guides/app-with-earn',
  'guides/treasury-with-smart-deposits',
  'api',
  'transit',
  'track-an-order',
  'earn/deposit',
  'earn/deposit-from-anywhere',
  'earn/withdraw',
  'earn/reads',
  'earn/positions',
  'earn/activity',
  'earn/analytics',
  'smart-deposits',
  'webhooks',
  'smart-contract-accounts',
  'filters',
  'errors',
  'access',
  'keys',
  'limits',
  'deprecations',
  'glossary',
] as const

function readGuide(guide: string): Promise<string> {
  return readFile(new URL(`${guide}.md`, folder), 'utf8')
}

/** A guide of `docs/` for programs: Markdown, whose links lead to what is served. */
export async function guideMarkdown(guide: string): Promise<string> {
  const text = await readGuide(guide)
  return text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, words: string, href: string) => {
    const target = targetOf(href, guide)
    return target === null ? words : `[${words}](${markdownPath(target)})`
  })
}

/** The Markdown of a served page; other targets stay as they are. */
function markdownPath(target: string): string {
  return target.replace(/^(\/docs\/[^#]+)/, '$1.md')
}

/** Where a link of a guide leads on the server; null if its target is not served. */
function targetOf(href: string, guide: string): string | null {
  if (/^(https?:|#)/.test(href)) return href
  const { pathname, hash } = new URL(href, `http://docs/docs/${guide}.md`)
  if (pathname === '/schema/schema.graphql') return '/schema.graphql'
  if (pathname === '/docs/openapi.json') return '/openapi.json'
  const found = GUIDES.find((name) => pathname === `/docs/${name}.md`)
  return found ? `/docs/${found}${hash}` : null
}
