import { readFile } from 'node:fs/promises'
import { Marked } from 'marked'
import { LOGO } from './logo.ts'

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

/** Links to all guides, by their titles. */
async function navigation(): Promise<string> {
  const links = GUIDES.map(
    async (guide) => `<a href="/docs/${guide}">${titleOf(await readGuide(guide))}</a>`,
  )
  return (await Promise.all(links)).join('\n')
}

function readGuide(guide: string): Promise<string> {
  return readFile(new URL(`${guide}.md`, folder), 'utf8')
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
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

/** A guide of `docs/` as a page that needs no script. */
export async function guidePage(guide: string): Promise<string> {
  const text = await readGuide(guide)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(text)} · Causeway</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(LOGO)}">
<style>${STYLE}</style>
</head>
<body>
<nav><a href="/docs">API reference</a>
<a href="/graphiql">GraphiQL</a>
${await navigation()}</nav>
<main>
${await rendererOf(guide).parse(text)}</main>
</body>
</html>
`
}

/** Headings get GitHub's anchors; links lead to served guides, and to no file that is not served. */
function rendererOf(guide: string): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const target = targetOf(href, guide)
        return target === null ? words : `<a href="${target}">${words}</a>`
      },
    },
  })
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
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

const STYLE = `
:root { color-scheme: light dark; --edge: light-dark(#d7dee2, #33424a); --dim: light-dark(#f3f6f7, #172329) }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: light-dark(#13252c, #dfe8eb); background: light-dark(#fff, #0f191e);
  display: grid; grid-template-columns: 14rem minmax(0, 1fr) }
nav { padding: 2rem 1rem; border-right: 1px solid var(--edge); display: flex; flex-direction: column; gap: .35rem; font-size: .9rem }
main { padding: 1rem 2rem 4rem; max-width: 56rem }
a { color: light-dark(#0f5f73, #7fd1c0) }
h1, h2, h3 { line-height: 1.25; margin-top: 2em }
h1 { margin-top: .5em }
code { font: .88em ui-monospace, monospace; background: var(--dim); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere }
pre { background: var(--dim); border: 1px solid var(--edge); border-radius: 8px; padding: 1rem; overflow-x: auto }
td code { overflow-wrap: normal }
pre code { background: none; padding: 0; overflow-wrap: normal }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid var(--edge); padding: .4rem .6rem; text-align: left; vertical-align: top }
@media (max-width: 760px) {
  body { display: block }
  nav { flex-flow: row wrap; gap: .2rem 1rem; border: 0; border-bottom: 1px solid var(--edge); padding: 1rem }
  main { padding: 1rem }
}
`
